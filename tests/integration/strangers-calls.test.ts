import { beforeAll, describe, expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { scopesFor } from "~/domain/api-clients/scopes.policy";
import { isCompanyTask } from "~/domain/companies/roles.policy";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { newClientProgram } from "../support/api-clients";
import { ASKING, BELONG_TO_NOBODY, type Input } from "../support/asking-calls";
import { createCode } from "../support/codes";
import { operations, type Schema } from "../support/described-requests";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { createOther, type Ids, SECRET, stateFor, UNKNOWN, withoutIds } from "../support/strangers";

usePortal();
const { makeCsr } = useOpenssl();

/** A CSR with a new key, and the id of a code of the caller. */
const own = { csr: "", code: 0 };
let caller: ApiClient;
let owner: ApiClient;
/** An API client of the caller's company, with every scope. */
let program: ApiClient;
let other: Awaited<ReturnType<typeof createOther>>;

beforeAll(async () => {
  const user = await createUser();
  own.code = (await createCode(user, { code: "AA1A" })).id;
  other = await createOther(makeCsr);
  own.csr = makeCsr({ subject: "/C=GB/L=Coventry/O=Public Works/CN=taken.example" }).pem;
  [caller, owner] = [await apiClientOf(user.email, TEST_PASSWORD), await apiClientOf(other.other.email, TEST_PASSWORD)];
  program = (await newClientProgram(user, scopesFor("company"))).program;
  const lastUsedAt = new Date(Date.now() + 3_600_000); // so that no use of the client is recorded, which would be a change
  await getDb().updateTable("apiClients").set({ lastUsedAt }).execute();
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
    const {
      inputs = () => [],
      reading = () => [],
      mixed = () => [],
      status = 404,
      isForOwner = method === "GET",
    } = asking ?? {};
    const all = (ids: Ids) => [...reading(ids), ...inputs(ids, own), ...mixed(ids, own)];
    for (const [index, input] of all(other.ids).entries()) {
      const foreign = await answerOf(caller, method, path, input);
      expect({ input, foreign }).toEqual({
        input,
        foreign: await answerOf(caller, method, path, all(UNKNOWN)[index] ?? {}),
      });
      expect({ input, status: foreign.status }).toEqual({ input, status });
      expect(foreign.text).not.toContain(SECRET);
      const byProgram = await answerOf(program, method, path, input);
      expect(byProgram).toEqual(await answerOf(program, method, path, all(UNKNOWN)[index] ?? {}));
      expect({ input, isRefused: [status, 403].includes(byProgram.status) }).toEqual({ input, isRefused: true });
      expect(byProgram.text).not.toContain(SECRET);
      if (status === 404) expect({ input, field: missingIn(foreign.text) }).toEqual({ input, field: NAMING });
    }
    if (method === "GET") expect((await answerOf(caller, method, path, {})).text).not.toContain(SECRET);
    expect(await stateFor(other.other)).toEqual(before);
    for (const input of isForOwner ? inputs(other.ids, own) : [])
      expect((await answerOf(owner, method, path, input)).status).toBe(200);
  });
});

test("[API-06] every case is for an existing call", () => {
  const paths = CALLS.map(({ path }) => path.toLowerCase());
  expect(Object.keys(ASKING).filter((path) => !paths.includes(path.toLowerCase()))).toEqual([]);
});
