import { beforeAll, describe, expect, test } from "vitest";
import { grantAtLogin } from "~/domain/accounts/recovery/change-permit.service.server";
import { issueAccessToken } from "~/domain/accounts/tokens/api-tokens.service.server";
import { csrMessages } from "~/domain/certificates/request/csr-text";
import { listInvitationsFor } from "~/domain/companies/invitations.service.server";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { NO_CLIENT } from "~/domain/security-events/client";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { ApiClient, unwrap, type Wrapped } from "../support/api";
import { clientFields, makeClient, newestSecret } from "../support/api-clients";
import { COMPLETE, orderBody } from "../support/api-orders";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { createAvailableCodes, createCode } from "../support/codes";
import { createColleague, invite, personOf } from "../support/companies";
import { type Operation, operations, type Schema } from "../support/described-requests";
import { addTo, confirmByDns, useDomainServers } from "../support/domains";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { description } from "../support/openapi";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { QUESTION } from "../support/recovery";
import {
  fieldsOf,
  neededIn,
  type Samples,
  smallestOf,
  type SmallRequest,
  withField,
  withPlaceOf,
} from "../support/smallest-requests";
import { issueBasis, ORDER_UNDER, storeStanding } from "../support/standing";
import { newEmail } from "../support/user-details";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();
const servers = useDomainServers();

const NOT_THERE = 2_147_483_647;

/** The caller of every call: a customer who is also an administrator. */
let caller: Awaited<ReturnType<typeof createUser>>;

/** Values that the portal accepts, by field. `OF_CALL` has those of fields that mean different things in different calls. */
const SAMPLES: Record<string, unknown> = {
  firstName: "Anna",
  lastName: "Brown",
  name: "Anna Brown",
  words: "Example",
  company: "Example Parts",
  position: "Head of EDI",
  telephoneNumber: "+1 20 7946 0000",
  phone: "+1 20 7946 0000",
  phoneNumber: "+1 20 7946 0000",
  jobTitle: "EDI",
  addressLine1: "1 Mill Lane",
  street1: "1 Mill Lane",
  city: "Boston",
  postalCode: "02108",
  postcode: "02108",
  countryId: 840,
  email: "anna.brown@example-parts.com",
  confirmEmail: "anna.brown@example-parts.com",
  emailAddress: "nobody@example-parts.com",
  Username: "anna.new@example-parts.com",
  resetCode: "unknown",
  password: "a brand new passphrase",
  confirmPassword: "a brand new passphrase",
  securityQuestion: QUESTION,
  securityAnswer: "Bello",
  banner: "https://images.example/b.png",
  link: "https://example.org/",
  tooltip: "Fair",
  value: "{}",
  source: "test",
  message: "a line",
  text: "Found in the register.",
  comment: "Calls back.",
  reason: "Asked to",
  note: "Pays late.",
  vatNumber: "GB123456789",
  promoCode: "ABCDEFGHI",
  purchaseOrderNumber: "PO-1",
  codeType: "OSCAR Code Full",
  entityName: "Plant",
  subcode: "Q1",
  years: 1,
  sha256: "0".repeat(64),
};
const OF_CALL: Record<string, Samples> = {
  "Certificates/AddPartners": { partners: ["anna@partner.example,Anna"] },
  "Certificates/PublishToPartners": { cutOverOn: " " },
  "Certificates/SetNotes": { notes: "In the gateway", tags: ["Plant 1"], version: 0 },
};

const CORRECT = "certificates/CorrectCertificate";

/** Fields that this caller must also send, because of conditions that the description states in words. */
const BESIDES: Readonly<Record<string, Record<string, unknown>>> = {
  "token/confirm": { password: TEST_PASSWORD },
  "UserRegistration/RegisterUserAdvancedDetails": { companyRegistrationNumber: "01234567" },
  "UserRegistration/UpdateUserRegistrationDetails": { currentPassword: TEST_PASSWORD },
  "UserSecurity/ValidatePasswordResetData": { securityAnswer: "Bello" },
  "UserSecurity/ChangePassword": { securityQuestion: QUESTION, securityAnswer: "Bello" },
  "UserSecurity/UpdateUsername": { currentPassword: TEST_PASSWORD },
  [CORRECT]: { hasEmail: false },
  "codes/search": { company: "Example" },
  "Queue/RecordChecks": { contact: "Called back" },
  "certificates/CorrectOrder": { purchaseOrderNumber: "PO-corrected" },
  "codes/CorrectOrder": { purchaseOrderNumber: "PO-corrected" },
  "Users/ChangeAccount": { reason: "Asked to" },
  "Operations/DownloadEvidencePack": { from: "2026-01-01", to: "2026-01-02" },
};

beforeAll(async () => {
  caller = await createUser({ isAdmin: true, email: "caller@example-parts.com" });
  const certificate = await issueCertificate({ customer: caller, csr: makeCsr().der });
  const { id: codeId } = await createCode(caller);
  await createAvailableCodes(caller, "Full", 50);
  const salesOrderId = await createInvoiceableOrder(caller);
  await issueInvoice(salesOrderId, { id: (await createAdmin()).id, name: "staff" });
  const { id: certificateId, orderId } = certificate;
  Object.assign(SAMPLES, {
    certificateId,
    certificateIds: [certificateId],
    orderId,
    certificateOrderId: orderId,
    codeId,
    parentId: codeId,
    salesOrderId,
    salesOrderIds: [salesOrderId],
  });
  Object.assign(OF_CALL, {
    "UserRegistration/GetCountryById": { id: 840 },
    "UserRegistration/UpdateUserRegistrationDetails": { email: caller.email },
    "certificates/GetRevocationReasonById": { id: 3 },
    "certificates/ConfirmCertificates": { code: "123456" },
    "certificates/getcertificate": { id: certificateId },
    "codes/getcode": { id: codeId },
    "Codes/UpdateEntity": { id: codeId },
    "codes/getSalesOrder": { id: salesOrderId },
    "Configuration/SaveConfig": { name: "queryParams" },
    "codes/updateSalesOrder": { id: salesOrderId },
    "codes/payInvoice": { invoiceNumber: (await invoicesOf(salesOrderId))[0]?.number },
  });
});

/** Returns the caller with the session epoch that is stored now. */
const callerNow = () =>
  getDb().selectFrom("users").select(["id", "sessionEpoch"]).where("id", "=", caller.id).executeTakeFirstOrThrow();

async function clientOfCaller(): Promise<ApiClient> {
  const { sessionEpoch } = await callerNow();
  return new ApiClient(
    await issueAccessToken({
      owner: { id: caller.id, epoch: sessionEpoch },
      impersonator: undefined,
      client: NO_CLIENT,
      proof: "password",
    }),
  );
}

/** Makes the caller an owner who works in the own company again. Calls about companies change that. */
async function restoreCaller(): Promise<void> {
  const { companyId, id } = caller;
  await getDb().updateTable("users").set({ companyId }).where("id", "=", id).execute();
  const own = getDb().updateTable("memberships").set({ role: "owner" }).where("companyId", "=", companyId);
  await own.where("userId", "=", id).execute();
}

/** Returns the values of a call about companies, which can be used only once: an invitation, a member. */
async function companySamples(path: string): Promise<Samples> {
  if (path === "Companies/AcceptInvitation") return { invitation: await invite(await createUser(), caller.email) };
  if (path === "Companies/WithdrawInvitation") {
    await invite(caller, "colleague@example-parts.com");
    const open = await listInvitationsFor(await personOf(await callerNow()));
    return { invitationId: open.at(-1)?.id };
  }
  if (path.endsWith("ApiClient") || path.endsWith("ApiClientSecret")) {
    const { id: apiClientId } = await makeClient(caller, ["codes:read"]);
    return { apiClientId, secretId: await newestSecret(apiClientId), ...clientFields(), scopes: ["codes:read"] };
  }
  if (path.includes("Domain")) {
    const domain = `described${Math.random().toString(36).slice(2)}.example.com`;
    if (path === "Companies/AddDomain") return { domain };
    if (path === "Companies/EndDomain")
      return { companyId: caller.companyId, domainId: await confirmByDns(caller, domain, servers), reason: "Asked to" };
    const { id: domainId, token } = await addTo(caller, domain);
    servers.publish(`_marque-challenge.${domain}`, { txt: [token] });
    return { domainId, method: "dns", address: `admin@${domain}` };
  }
  return { companyId: caller.companyId, role: "reader", userId: (await createColleague(caller, "technical")).id };
}

const PREPARE = "certificates/PrepareRenewal";
const COMPLETE_PREPARED = "certificates/CompletePreparedRenewal";

/** Returns the values of a call about a renewal that colleagues share: a certificate to renew, and a prepared renewal of it. */
async function renewalSamples(path: string): Promise<Samples> {
  const { orderId: previousOrderId } = await issueEnding(60, { customer: caller, csr: makeCsr().der });
  if (path === PREPARE) return { previousOrderId };
  const body = orderBody(makeCsr().pem, { previousOrderId });
  const { content } = await (await clientOfCaller()).post<{ renewalId: string }>(PREPARE, body);
  return { renewalId: content.renewalId };
}

/** Returns the values of a call about a standing authorisation of the caller. */
async function standingSamples(): Promise<Samples> {
  const basis = await issueBasis(await clientOfCaller(), makeCsr().pem);
  return { standingAuthorisationId: await storeStanding(caller, basis, "Acme"), reason: "Replaced" };
}

/** Adds a partner to the certificate of the caller. Returns its id. */
async function newPartner(): Promise<number> {
  const body = { certificateId: SAMPLES.certificateId, partners: [newEmail()] };
  const { content } = await (
    await clientOfCaller()
  ).post<{ partners: { id: number }[] }>("Certificates/AddPartners", body);
  return content.partners.at(-1)?.id ?? 0;
}

/** Returns another certificate of the caller, with a partner. */
async function withNewPartner(): Promise<number> {
  const { id: certificateId } = await issueCertificate({ customer: caller, csr: makeCsr().der });
  await (await clientOfCaller()).post("Certificates/AddPartners", { certificateId, partners: [newEmail()] });
  return certificateId;
}

const ENTITY_CALLS = ["codes/EndEntityCertificate", "codes/DownloadEntityCertificate"];

/** Publishes the certificate of the caller at the entity of the caller. Returns its id. */
async function publishedCertificate(): Promise<unknown> {
  const { certificateId, codeId } = SAMPLES;
  await (await clientOfCaller()).post("codes/PublishEntityCertificates", { codeId, certificateIds: [certificateId] });
  return certificateId;
}

/** Returns the smallest request of a call. Some of its values can be used only once: for one order, one file or one password. */
async function requestOf(operation: Operation): Promise<SmallRequest> {
  const { path } = operation;
  await restoreCaller();
  const once = {
    ...(path.startsWith("Companies/") && (await companySamples(path))),
    ...([PREPARE, COMPLETE_PREPARED].includes(path) && (await renewalSamples(path))),
    ...(["certificates/RemindContact", "certificates/ChangeContact", "certificates/CorrectOrder"].includes(path) && {
      orderId: (await createCertificateOrder(caller, makeCsr().der)).orderId,
    }),
    ...(path === "codes/CorrectOrder" && { orderId: await createInvoiceableOrder(caller) }),
    ...((path.endsWith("StandingAuthorisation") || path === "certificates/ChooseInvoicing") &&
      (await standingSamples())),
    ...(["Users/GetUser", "Users/ChangeAccount"].includes(path) && { userId: (await createUser()).id }),
    ...(path === "Users/CreateUser" && { email: newEmail(), company: `Company of ${newEmail()}` }),
    ...(path.startsWith("Queue/") && {
      certificateId: (await createCertificateOrder(await createUser(), makeCsr().der)).id,
    }),
    ...(path.includes("Csr") || [COMPLETE, PREPARE, ORDER_UNDER, CORRECT].includes(path) ? { csr: makeCsr().pem } : {}),
    ...(path === CORRECT && { certificateId: (await issueCertificate({ customer: caller, csr: makeCsr().der })).id }),
    ...(path === "UserSecurity/ChangePassword" && { token: await grantAtLogin(await createUser()) }),
    ...(path === "Certificates/CopyPartners" && { from: await withNewPartner() }),
    ...(path === "Certificates/RemovePartner" && { partnerId: await newPartner() }),
    ...(ENTITY_CALLS.includes(path) && { certificateId: await publishedCertificate() }),
    ...(path === "codes/downloadCsv" && {
      fileName: (await (await clientOfCaller()).post("codes/exportCsv", { salesOrderIds: SAMPLES.salesOrderIds }))
        .content,
    }),
  };
  const small = smallestOf(operation, { ...SAMPLES, ...OF_CALL[path], ...once });
  return Object.entries(BESIDES[path] ?? {}).reduce((all, [name, value]) => withField(all, name, value), small);
}

async function send({ method }: Operation, { path, query, body }: SmallRequest): Promise<Wrapped & { type: string }> {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const address = pairs.length > 0 ? `${path}?${new URLSearchParams(pairs).toString()}` : path;
  const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const answer = await (await clientOfCaller()).send(address, { method, ...sent });
  const type = answer.headers.get("Content-Type") ?? "";
  const wrapped = type.startsWith("application/json") ? await unwrap(answer) : ({ status: answer.status } as Wrapped);
  return { ...wrapped, type };
}

/**
 * The answers of logins are not wrapped; api-tokens.test.ts and proxy-login.test.ts test them. The files of the repository have no fields.
 */
const LOGINS = ["token", "token/proxy"];
const CALLS = operations().filter(({ path }) => !LOGINS.includes(path) && !path.startsWith("CertificateRepository/"));
const named = (call: Operation) => [`${call.method} ${call.path}`, call] as const;

const MISSING: readonly string[] = [
  messages.required,
  messages.vatMissing,
  csrMessages.importFirst,
  TERMS_NOT_ACCEPTED,
];

/** The fields that must be sent so that the portal reads another field. */
const WHERE_READ: Readonly<Record<string, Record<string, unknown>>> = {
  "invoiceAddress.vat": { "invoiceAddress.countryId": 276 },
  "code.entityTypeOther": { "code.entityTypes": ["Other"] },
};

/** Calls that are refused for other reasons, with the status. */
const REFUSED: Readonly<Record<string, number>> = {
  "certificates/GetRenewalState": 422, // the certificate does not end soon
  "certificates/ConfirmCertificates": 422, // the certificate does not wait for a confirmation
  "certificates/ReportKey": 422, // there is no proof
  "Queue/UndoApproval": 422, // the order is pending
  "Users/RequestErasure": 422, // the caller has rights of staff
  "Users/WithdrawErasure": 422, // and therefore has not asked for it
};

/** Calls whose refusal is in the content of the answer: nobody has requested a reset code. */
const REFUSED_WITHIN = ["UserSecurity/ValidatePasswordResetData"];

describe("the described fields of a request are those that the portal requires", () => {
  const described = operations().flatMap((call) => fieldsOf(call).map((field) => ({ call: call.path, ...field })));

  test("[API-05] a required field offers no placeholder for an empty value", () => {
    const offersNone = ({ description = "", enum: choices = [], type }: Schema) =>
      /`-1`|single space/.test(description) ||
      [" ", "", null].some((none) => choices.includes(none)) ||
      type?.includes("null");
    expect(described.filter(({ isRequired, schema }) => isRequired && offersNone(schema))).toEqual([]);
  });

  test("[API-05] a limit is stated once", () => {
    const saysTwice = ({ description = "", maximum, maxLength }: (typeof described)[number]["schema"]) =>
      [maximum, maxLength].some((limit) => limit && new RegExp(`(to|most) ${limit}\\b`).test(description));
    expect(described.filter(({ schema }) => saysTwice(schema))).toEqual([]);
  });

  test.each(CALLS.map(named))("[API-05] %s: the required fields are sufficient", async (_, call) => {
    const { status, errors = {}, text, content } = await send(call, await requestOf(call));
    expect({ status, errors, text }).toMatchObject({ status: REFUSED[call.path] ?? 200 });
    expect(REFUSED_WITHIN.includes(call.path) ? {} : content).not.toMatchObject({ success: false });
    expect(Object.values(errors).filter((message) => MISSING.includes(message))).toEqual([]);
  });

  const needing = CALLS.filter((call) => fieldsOf(call).some(({ isRequired }) => isRequired));
  test.each(needing.map(named))("[API-05] %s: a missing required field is refused by its name", async (_, call) => {
    const small = await requestOf(call);
    for (const { path } of neededIn(call, small)) {
      const { status, errors = {} } = await send(call, withField(small, path, undefined));
      const names = Object.keys(errors).filter((name) => name === path || name.startsWith(`${path}.`));
      expect({ path, status, isNamed: names.length > 0, errors }).toMatchObject({ status: 422, isNamed: true });
    }
  });

  const limited = CALLS.filter((call) => fieldsOf(call).some(({ schema }) => schema.maxLength !== undefined));
  test.each(limited.map(named))("[API-05] %s: a text longer than the description says is refused", async (_, call) => {
    const small = await requestOf(call);
    for (const { path, schema } of fieldsOf(call).filter((field) => field.schema.maxLength !== undefined)) {
      const around = withPlaceOf(call, small, path, { ...SAMPLES, ...OF_CALL[call.path] });
      const where = Object.entries(WHERE_READ[path] ?? {}).reduce(
        (all, [name, value]) => withField(all, name, value),
        around,
      );
      const sent = (length: number) => send(call, withField(where, path, "x".repeat(length)));
      const { status, errors = {} } = await sent((schema.maxLength ?? 0) + 1);
      expect({ path, status, errors }).toMatchObject({ status: 422, errors: { [path]: expect.any(String) as string } });
      // A password that would be accepted is not tried either, because it would use up the token.
      if (errors[path] !== messages.outOfRange || path === "password") continue;
      const { errors: shorter = {} } = await sent(schema.maxLength ?? 0);
      expect({ path, message: shorter[path] }).not.toEqual({ path, message: messages.outOfRange });
    }
  });
});

/** Requests for something that does not exist, for calls whose smallest request contains no such id. */
const SOUGHT: Readonly<Record<string, (small: SmallRequest) => SmallRequest>> = {
  [COMPLETE]: (small) => withField(small, "previousOrderId", NOT_THERE),
  [COMPLETE_PREPARED]: (small) => withField(small, "renewalId", "A".repeat(22)),
  "codes/downloadCsv": (small) => withField(small, "fileName", "sales-orders-unknown.csv"),
  "codes/payInvoice": (small) => withField(small, "invoiceNumber", "INV-1999-00001"),
  "codes/registerNewEntity": (small) => withField(small, "contacts", [{ id: NOT_THERE }]),
  "Users/DownloadPersonalData": (small) => withField(small, "userId", NOT_THERE),
  "UserRegistration/GetUserDetails": (small) => withField(small, "userId", NOT_THERE),
  "UserRegistration/CheckAdvancedDetailsMissing": (small) => withField(small, "userId", NOT_THERE),
  "certificates/GetRevocationReasonById": (small) => withField(small, "id", 2),
};

/** Calls that answer with 404 only when there is no authority at all. */
const ALWAYS_THERE = ["Certificates/DownloadCaRootCertificate"];

const responsesOf = ({ path, method }: Operation) =>
  description().paths[`/api/${path}`]?.[method.toLowerCase()]?.responses ?? {};

const seeking = CALLS.filter((call) => "404" in responsesOf(call) && !ALWAYS_THERE.includes(call.path));

test.each(seeking.map(named))(
  "[API-05] %s: 404 is described, and is the answer for anything that does not exist",
  async (_, call) => {
    const small = await requestOf(call);
    const id = fieldsOf(call).find(({ path, isRequired }) => isRequired && /id$/i.test(path))?.path ?? "";
    const sought = SOUGHT[call.path] ?? ((request) => withField(request, id, NOT_THERE));
    expect((await send(call, sought(small))).status).toBe(404);
  },
);
