import { beforeAll, describe, expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { scopesFor } from "~/domain/api-clients/scopes.policy";
import { isCompanyTask } from "~/domain/companies/roles.policy";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { clientFields, newClientProgram } from "../support/api-clients";
import { orderBody } from "../support/api-orders";
import { createCode } from "../support/codes";
import { operations, type Schema } from "../support/described-requests";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { createOther, type Ids, SECRET, stateFor, UNKNOWN, withoutIds } from "../support/strangers";

usePortal();
const { makeCsr } = useOpenssl();

type Input = Record<string, unknown>;

interface Asking {
  /** Returns the inputs that contain these ids. */
  inputs: (ids: Ids) => Input[];
  /** The status of the answer to the caller. The default is 404: there is no such thing. */
  status?: number;
  /** Whether the owner makes the same call and must get another answer. The default is true for a GET, which changes nothing. */
  isForOwner?: boolean;
}

const PEM = { certificateType: "PEM", fileExtension: "PEM" };
const person = { firstName: "Taken", lastName: "Over", company: "Taken Over Ltd", jobTitle: "Head", phone: "+44 20" };
const NEW = { codeType: "OSCAR Code Full", entityName: "Taken over" };
const companyAddress = { street1: "1 Mill Lane", city: "Coventry", postcode: "CV1 1AA", countryId: 826 };

/**
 * Requests of each call for things of another user, with every field that takes an id. Calls without such fields, with only fields of
 * things that belong to nobody (BELONG_TO_NOBODY), and calls of administrators can be omitted. The tests fail for any other call that is
 * missing here.
 */
const ASKING: Record<string, Asking> = {
  "certificates/getcertificate": {
    inputs: ({ certificate, pendingCertificate }) => [{ id: certificate }, { id: pendingCertificate }],
  },
  "certificates/GetPaymentDetails": { inputs: ({ certificateOrder: orderId }) => [{ orderId }] },
  "certificates/GetRenewalState": {
    inputs: ({ certificateOrder: orderId }) => [{ orderId }],
    isForOwner: false, // it is too early for a renewal
  },
  "certificates/verifyCertificateExpiryDate": {
    inputs: ({ certificateOrder: orderId }) => [{ orderId, years: "0" }],
  },
  "certificates/CompletePurchaseJourney": {
    inputs: ({ certificateOrder }) => [orderBody(pem, { previousOrderId: Number(certificateOrder) })],
  },
  "certificates/revoke": {
    inputs: ({ certificate }) => [
      { certificateId: Number(certificate) },
      { certificateId: Number(certificate), reasonTypeId: 4 },
    ],
  },
  "Certificates/DownloadMyCertificate": { inputs: ({ certificate: certificateId }) => [{ certificateId, ...PEM }] },
  "Certificates/DownloadCaIssuingCertificate": {
    inputs: ({ certificate: certificateId }) => [{ certificateId, ...PEM }],
  },
  "invoices/DownloadCertificateInvoice": {
    inputs: ({ certificateOrder: certificateOrderId }) => [{ certificateOrderId }],
  },
  "invoices/DownloadCodeInvoice": { inputs: ({ codeOrder: salesOrderId }) => [{ salesOrderId }] },
  "codes/getcode": { inputs: ({ code, subcode }) => [{ id: code }, { id: subcode }] },
  "Codes/GetCodeContacts": { inputs: ({ code: codeId }) => [{ codeId }] },
  "Codes/UpdateEntity": {
    inputs: ({ code, subcode, contact }) => [
      { code: { id: Number(code), entityName: "Taken over" } },
      { code: { id: Number(subcode) }, contacts: [{ id: Number(contact), name: "Taken" }] },
      { code: { id: own }, contacts: [{ id: Number(contact), name: "Taken" }] },
    ],
  },
  "codes/registerNewEntity": {
    inputs: ({ code, user, contact }) => [
      {
        code: { id: Number(code), userId: Number(user), parentId: Number(code), ...NEW, subcode: "" },
        contacts: [{ id: Number(contact), name: "Taken" }],
      },
    ],
  },
  "codes/registerNewSubEntity": {
    inputs: ({ code, user }) => [{ code: { parentId: Number(code), userId: Number(user), subcode: "P9", ...NEW } }],
  },
  "codes/checkSubEntityExist": { inputs: ({ code }) => [{ parentId: Number(code), subcode: "P1" }] },
  "codes/getUserSalesOrders": { inputs: ({ user: userId }) => [{ userId }], status: 403 },
  "UserRegistration/GetUserDetails": { inputs: ({ user: userId }) => [{ userId }], status: 403 },
  "UserRegistration/CheckAdvancedDetailsMissing": { inputs: ({ user: userId }) => [{ userId }], status: 403 },
  "UserRegistration/RegisterUserAdvancedDetails": {
    inputs: ({ user }) => [{ userId: Number(user), companyRegistrationNumber: "1", companyAddress }],
    status: 403,
  },
  "UserRegistration/UpdateUserRegistrationDetails": {
    inputs: ({ user }) => [{ userId: Number(user), ...person, email: "taken@example.com", companyAddress }],
    status: 403,
  },
  "UserSecurity/UpdateUsername": {
    inputs: ({ user }) => [{ UserId: Number(user), Username: "taken@example.com", currentPassword: TEST_PASSWORD }],
    status: 403,
  },
  "Companies/ChooseCompany": { inputs: ({ company }) => [{ companyId: Number(company) }] },
  "Companies/WithdrawInvitation": { inputs: ({ invitation }) => [{ invitationId: Number(invitation) }] },
  "Companies/UpdateMember": { inputs: ({ user }) => [{ userId: Number(user), role: "owner" }] },
  "Companies/HandOver": { inputs: ({ user }) => [{ userId: Number(user) }] },
  "Companies/RemoveMember": { inputs: ({ user }) => [{ userId: Number(user) }] },
  "Companies/UpdateApiClient": {
    inputs: ({ apiClient }) => [
      { apiClientId: Number(apiClient), name: "Taken", scopes: ["codes:read"], lastDay: clientFields().lastDay },
    ],
  },
  "Companies/AddApiClientSecret": { inputs: ({ apiClient }) => [{ apiClientId: Number(apiClient) }] },
  "Companies/EndApiClientSecret": {
    inputs: ({ apiClient, apiClientSecret }) => [{ apiClientId: Number(apiClient), secretId: Number(apiClientSecret) }],
  },
  "Companies/RevokeApiClient": { inputs: ({ apiClient }) => [{ apiClientId: Number(apiClient) }] },
  "UserSecurity/UpdateLastLogin": { inputs: ({ user }) => [{ userId: Number(user) }], status: 200 },
  "Configuration/SaveConfig": {
    inputs: ({ user }) => [{ userId: Number(user), name: "queryParams", value: "taken" }],
    status: 403,
  },
};

/** Fields with ids of things that belong to nobody, by name or by call and name. */
const BELONG_TO_NOBODY = [
  ...["countryId", "reasonTypeId", "address id"],
  ...["UserRegistration/GetCountryById id", "certificates/GetRevocationReasonById id"],
];

let pem: string;
/** The id of a code of the caller. */
let own: number;
let caller: ApiClient;
let owner: ApiClient;
/** An API client of the caller's company, with every scope. */
let program: ApiClient;
let other: Awaited<ReturnType<typeof createOther>>;

beforeAll(async () => {
  const user = await createUser();
  own = (await createCode(user, { code: "AA1A" })).id;
  other = await createOther(makeCsr);
  pem = makeCsr({ subject: "/C=GB/L=Coventry/O=Public Works/CN=taken.example" }).pem;
  program = (await newClientProgram(user, scopesFor("company"))).program;
  const lastUsedAt = new Date(Date.now() + 3_600_000); // so that no use of the client is recorded, which would be a change
  await getDb().updateTable("apiClients").set({ lastUsedAt }).execute();
  [caller, owner] = [await apiClientOf(user.email, TEST_PASSWORD), await apiClientOf(other.other.email, TEST_PASSWORD)];
});

/** Returns the names of all fields, at any depth, that look as if they took an id, a list of ids or the name of a file. */
function idsIn({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const isAddress = "street1" in properties;
  const own = Object.keys(properties).filter((name) => /(^i|[a-z]I)ds?$|^fileName$/.test(name));
  return [
    ...own.map((name) => (isAddress && name === "id" ? "address id" : name)),
    ...[...Object.values(properties), ...anyOf, ...(items ? [items] : [])].flatMap(idsIn),
  ];
}

const described = operations().map(({ path, method, parameters = [], requestBody }) => {
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  const query = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const isSomebodys = (name: string) => ![name, `${path} ${name}`].some((one) => BELONG_TO_NOBODY.includes(one));
  const ids = [{ properties: query }, ...bodies].flatMap(idsIn).filter(isSomebodys);
  const who = CALLS.find((call) => call.path === path && call.method === method)?.who ?? "anyone";
  return { path, method, ids, who };
});

const keyOf = (path: string) => Object.keys(ASKING).find((key) => key.toLowerCase() === path.toLowerCase());

async function answerOf(client: ApiClient, method: string, path: string, input: Input) {
  const query = new URLSearchParams(input as Record<string, string>).toString();
  const headers = { "Content-Type": "application/json" };
  const sent = method === "GET" ? {} : { method, headers, body: JSON.stringify(input) };
  const answer = await client.send(method === "GET" && query ? `${path}?${query}` : path, sent);
  return { status: answer.status, text: withoutIds(await answer.text(), UNKNOWN, other.ids) };
}

/** Matches the names of fields that identify a thing. */
const NAMING = expect.stringMatching(/^(code\.|contacts\.0\.)?(id|[a-z]+\w*Id)$/) as string;

/** Returns the one field that an error for programs names. */
function missingIn(text: string): string | undefined {
  const { errors = {}, responseText } = JSON.parse(text) as { errors?: Record<string, string>; responseText: string };
  expect(responseText).toBe("There is no such thing, or it is somebody else's.");
  expect(Object.values(errors)).toEqual([responseText]);
  return Object.keys(errors)[0];
}

describe.each(
  described.filter(({ who }) => who !== "anyone").map((call) => [`${call.method} ${call.path}`, call] as const),
)("%s", (_, { path, method, ids, who }) => {
  test("[API-06] hides data of another applicant, which can be neither changed nor told from missing data", async () => {
    const before = await stateFor(other.other);
    const asking = ASKING[keyOf(path) ?? ""];
    if (ids.length > 0 && (who === "user" || isCompanyTask(who)) && !asking)
      throw new Error(`ASKING has no case for ${path}, which takes ${ids.join(", ")}.`);
    const { inputs = () => [], status = 404, isForOwner = method === "GET" } = asking ?? {};
    for (const [index, input] of inputs(other.ids).entries()) {
      const foreign = await answerOf(caller, method, path, input);
      expect({ input, foreign }).toEqual({
        input,
        foreign: await answerOf(caller, method, path, inputs(UNKNOWN)[index] ?? {}),
      });
      expect({ input, status: foreign.status }).toEqual({ input, status });
      expect(foreign.text).not.toContain(SECRET);
      const byProgram = await answerOf(program, method, path, input);
      expect(byProgram).toEqual(await answerOf(program, method, path, inputs(UNKNOWN)[index] ?? {}));
      expect({ input, isRefused: [status, 403].includes(byProgram.status) }).toEqual({ input, isRefused: true });
      expect(byProgram.text).not.toContain(SECRET);
      if (status === 404) expect({ input, field: missingIn(foreign.text) }).toEqual({ input, field: NAMING });
    }
    if (method === "GET") expect((await answerOf(caller, method, path, {})).text).not.toContain(SECRET);
    expect(await stateFor(other.other)).toEqual(before);
    for (const input of isForOwner ? inputs(other.ids) : [])
      expect((await answerOf(owner, method, path, input)).status).toBe(200);
  });
});

test("[API-06] every case is for an existing call", () => {
  const paths = CALLS.map(({ path }) => path.toLowerCase());
  expect(Object.keys(ASKING).filter((path) => !paths.includes(path.toLowerCase()))).toEqual([]);
});
