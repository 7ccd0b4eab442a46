import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { STAFF_RIGHTS, TASKS } from "~/domain/accounts/rights.policy";
import { COMPANY_TASKS, ROLES } from "~/domain/companies/roles.policy";
import { getDb } from "~db/connection.server";
import { toastOf } from "../integration/revoking";
import { ApiClient, apiClientOf } from "../support/api";
import { ASKING as CALL_ASKING, type Input } from "../support/asking-calls";
import { type Asking, ASKING, FURTHER, type Sales, SEE, STAFF_ASKING } from "../support/asking-pages";
import { stateOfTables } from "../support/audited";
import { createColleague } from "../support/companies";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { type Actor, CALL_NEEDS, isMet, type Need, needOf, ROUTE_NEEDS, tasksIn } from "../support/needs";
import { useOpenssl } from "../support/openssl";
import { intentsOf } from "../support/page-intents";
import { filled, type PageRoute, pageRoutes } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { saleFields } from "../support/sales-orders";
import { takeSnapshot } from "../support/snapshot";
import { createOther, type Ids, UNKNOWN, withoutIds } from "../support/strangers";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";

const portal = usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;

/** An actor of the table with a browser and a program. */
interface Player extends Actor {
  visitor: Visitor;
  client: ApiClient;
}

/** What an actor gets: it, a refusal, the answer for something that does not exist, or the request to log in. */
type Outcome = "yes" | "no" | "hidden" | "login";

/** A request that every actor makes. */
interface Row {
  what: string;
  need: Need;
  /** Whether it may change something. Then the database is put back after each actor who may make it, or after all of them. */
  writes: boolean;
  /** Whether it is about nothing of anybody else, so that actors do not change each other's data. */
  isOwn: boolean;
  /** Whether it is complete, so that whoever may make it changes something. */
  changes: boolean;
  attempt: (player: Player) => Promise<Outcome>;
}

/** The owner of everything that the requests are about, the ids of these things, and changed forms of two sales orders. */
let owner: User;
let ids: Ids;
let sales: Sales;
/** A CSR with a new key. */
let csr: string;
let players: Player[] = [];
let putBack: () => Promise<void>;

async function playersOf(): Promise<Player[]> {
  const play = async (name: string, user: User, given: Partial<Actor["user"]> = {}): Promise<Player> => {
    const { id, companyId } = user;
    const hasCode = companyId === owner.companyId;
    const [visitor, client] = [await signedInAs(user), await apiClientOf(user.email, TEST_PASSWORD)];
    const actor = { id, companyId, hasCode, role: "owner", isApplicant: true, rights: [], ...given } as const;
    return { name, user: actor, visitor, client };
  };
  const signedOut = { name: "signed out", user: null, visitor: await anonymous(), client: new ApiClient() };
  const members = ROLES.toReversed().map(async (role) =>
    play(role, role === "owner" ? owner : await createColleague(owner, role), { role }),
  );
  const staff = STAFF_RIGHTS.map(async (right) =>
    play(right, await createStaff([right]), { isApplicant: false, rights: [right] }),
  );
  const admin = await play("admin", await createAdmin(), { isApplicant: false, rights: STAFF_RIGHTS });
  const stranger = await play("stranger", await createUser());
  return [signedOut, stranger, ...(await Promise.all([...members, ...staff])), admin];
}

beforeAll(async () => {
  const { other, ids: made } = await createOther(makeCsr);
  [owner, ids, csr] = [other, made, makeCsr().pem];
  const changed = async (order: string) => saleFields(Number(order), { remarks: "Called by phone" });
  sales = { pendingOrder: await changed(ids.pendingOrder), codeOrder: await changed(ids.codeOrder) };
  players = await playersOf();
  putBack = await takeSnapshot(portal.dataDir);
});

interface Answer {
  status: number;
  to: string | null;
  told: string;
  text: string;
}

/** Values for the parameters that no list gives. */
const ANY: Record<string, string> = {
  ...{ wizard: "purchase", id: "999999999", userId: "999999999", kind: "verify-email", targetSite: "odette" },
  ...Object.fromEntries(
    ["targetUrl", "batch", "token", "email", "authString", "policy", "file", "*"].map((name) => [name, "any"]),
  ),
};

async function pageAnswer(route: PageRoute, { visitor }: Player, asking: Asking): Promise<Answer> {
  const { params, query = {}, fields } = asking;
  const filling = { ...ANY, ...params };
  const path = `${filled(route.pattern, filling)}?${new URLSearchParams(query).toString()}`;
  const handler = (fields ? route.action : route.loader) as NonNullable<PageRoute["loader"]>;
  const answer = await run(handler, fields ? await visitor.post(path, fields) : visitor.get(path), filling);
  return {
    status: answer.status,
    to: answer.headers.get("Location"),
    told: (await toastOf(answer))?.text ?? "",
    text: await answer.text(),
  };
}

/** The beginnings of the messages for those who lack a role or a right. */
const REFUSED =
  /This page is for (staff|accounts|members)|You need the (role|right)|Only (its owner|the owner of|applicants) /;

/** The page that says why a file is not for the user. */
const WHY_NO_FILE = /certificate-download\/\d+\?.*encoding=/;

/** Returns whether an answer refuses the visitor. One that only finds a mistake in the request does not. */
const isRefused = ({ status, to, told, text }: Answer) =>
  status === 403 || REFUSED.test(told) || (status >= 400 && REFUSED.test(text)) || WHY_NO_FILE.test(to ?? "");

/** Returns what an actor has got. `missing` is the answer for something that does not exist, or null when nothing was asked for. */
function outcomeOf(answer: Answer, missing: Answer | 404 | null): Outcome {
  if (answer.status === 401 || (answer.status < 400 && /^\/login(\?|$)/.test(answer.to ?? ""))) return "login";
  if (isRefused(answer)) return "no";
  if (missing === 404) return answer.status === 404 ? "hidden" : "yes";
  const plain = (one: Answer) => withoutIds(JSON.stringify(one), UNKNOWN, ids);
  return missing && plain(answer) === plain(missing) ? "hidden" : "yes";
}

/** The fields whose values tell one request of a route from another, and those of which the name is enough. */
const [TELLING, NAMED] = [
  ["wizard", "intent"],
  ["withdraw", "contact", "parent", "type", "draft"],
];

const wordsOf = ({ params, query, fields }: Asking): string[] =>
  Object.entries({ ...params, ...query, ...fields }).flatMap(([name, value]) =>
    TELLING?.includes(name) ? [String(value)] : NAMED?.includes(name) ? [name] : [],
  );

/** A request, and the same one for something that does not exist. */
interface Pair {
  asking: Asking;
  isOwn?: boolean;
  missing: Asking | 404 | null;
}

function pageRow(route: PageRoute, { asking, missing, isOwn = false }: Pair): Row {
  const { needs: need = SEE, fields, changes = false } = asking;
  return {
    what: [fields ? "POST" : "GET", `/${route.pattern}`, ...wordsOf(asking)].join(" ").trim(),
    need,
    writes: fields !== undefined,
    isOwn,
    changes,
    attempt: async (player) => {
      const answer = await pageAnswer(route, player, asking);
      const other = missing === null || missing === 404 ? missing : await pageAnswer(route, player, missing);
      return outcomeOf(answer, other);
    },
  };
}

const intentIn = ({ fields }: Asking): string => String(fields?.intent ?? "");

/** Returns the intents that the forms of a page send, and that none of these requests sends. */
const intentsBeside = ({ file }: PageRoute, requests: readonly Asking[]): string[] => {
  const sent = requests.map(intentIn);
  return intentsOf(file).filter((intent) => !sent.includes(intent));
};

/** Returns the requests of the lists that are about something that somebody owns. */
const listedFor = (name: string): Asking[] => [
  ...(ASKING[name]?.(ids) ?? []),
  ...(STAFF_ASKING[name]?.(ids, sales) ?? []),
];

/**
 * Returns the rows of a route: the requests of the lists, and for a loader or an action of which the lists say nothing, one without ids for
 * each intent that its forms send, and one without intent.
 */
function rowsOfRoute(route: PageRoute): Row[] {
  const { name } = route;
  const unknown = ASKING[name]?.(UNKNOWN) ?? [];
  const about = (ASKING[name]?.(ids) ?? []).map((asking, index): Pair => ({ asking, missing: unknown[index] ?? null }));
  const ofStaff = (STAFF_ASKING[name]?.(ids, sales) ?? []).map((asking): Pair => ({ asking, missing: null }));
  const further = (FURTHER[name] ?? []).map((asking): Pair => ({ asking, missing: 404 }));
  return (["loader", "action"] as const)
    .filter((handler) => route[handler])
    .flatMap((handler) => {
      const needs = needOf(name, handler);
      if (needs === undefined) throw new Error(`ROUTE_NEEDS does not say what the ${handler} of ${name} needs.`);
      const isOf = ({ asking }: Pair) => (asking.fields === undefined) === (handler === "loader");
      const listed = [...about, ...ofStaff, ...further].filter(isOf);
      const asked = listed.map(({ asking }) => asking);
      const intents = handler === "action" ? intentsBeside(route, asked) : [];
      const plain: Asking = { needs, ...(handler === "action" && { fields: {} }) };
      const pressed = intents.map((intent): Asking => ({ needs, fields: { intent } }));
      const missing = needs === "a secret" ? (404 as const) : null;
      const guarded = about.some(isOf)
        ? []
        : [plain, ...pressed].map((asking): Pair => ({ asking, missing, isOwn: true }));
      return [...guarded, ...listed].map((pair) => pageRow(route, pair));
    });
}

interface Called {
  method: string;
  path: string;
}

async function callAnswer({ method, path }: Called, { client }: Player, input: Input): Promise<Answer> {
  const at = path.replace(/\{\w+\}/g, "any");
  const query = new URLSearchParams(input as Record<string, string>).toString();
  const headers = { "Content-Type": "application/json" };
  const sent = method === "GET" ? {} : { method, headers, body: JSON.stringify(input) };
  const answer = await client.send(method === "GET" && query ? `${at}?${query}` : at, sent);
  return { status: answer.status, to: null, told: "", text: answer.ok ? "" : await answer.text() };
}

/** Returns the row of a call with this input, or with none. */
const callRow = (call: Called, need: Need, input: Input, changes = false): Row => ({
  what: [call.method, `/api/${call.path}`, ...Object.keys(input).slice(0, 1)].join(" "),
  need,
  writes: call.method === "POST",
  isOwn: Object.keys(input).length === 0,
  changes,
  attempt: async (player) =>
    outcomeOf(await callAnswer(call, player, input), Object.keys(input).length > 0 ? 404 : null),
});

/** Returns the rows of a call: the inputs of the list, or one row without input. */
function rowsOfCall(call: Called): Row[] {
  const need = CALL_NEEDS[`${call.method} ${call.path}`];
  if (need === undefined) throw new Error(`CALL_NEEDS does not say what ${call.method} ${call.path} needs.`);
  const asking = Object.entries(CALL_ASKING).find(([path]) => path.toLowerCase() === call.path.toLowerCase())?.[1];
  const { inputs = () => [], reading = () => [], register = () => [], needs = SEE, changes } = asking ?? {};
  const rows = [
    ...reading(ids).map((input) => callRow(call, SEE, input)),
    ...register(ids).map((input) => callRow(call, "a code", input)),
    ...inputs(ids, { csr, code: 0 }).map((input) => callRow(call, needs, input, changes)),
  ];
  return rows.length > 0 ? rows : [callRow(call, need, {})];
}

const listDrafts = () =>
  getDb().selectFrom("drafts").select(["id", "data", "orderId", "handedOverAt"]).orderBy("id").execute();

const stored = async () => ({ tables: Object.fromEntries(await stateOfTables()), drafts: await listDrafts() });

/** Makes the request of a row as each actor, first as those who may not make it: they change nothing, but may begin drafts of their own. */
async function tried({ need, writes, isOwn, changes, attempt }: Row): Promise<Record<string, Outcome | "no change">> {
  const got: Record<string, Outcome | "no change"> = {};
  await nextTurn(); // because SQLite never waits, and the worker reports its progress meanwhile
  const before = writes ? await stored() : null;
  const those = (isAllowed: boolean) => players.filter((player) => isMet(need, player, owner) === isAllowed);
  for (const player of those(false)) got[player.name] = await attempt(player);
  if (before)
    expect(await stored()).toEqual({
      ...before,
      drafts: expect.arrayContaining(before.drafts) as typeof before.drafts,
    });
  for (const player of those(true)) {
    if (writes && !isOwn) await putBack();
    got[player.name] = await attempt(player);
    if (changes && JSON.stringify(await stored()) === JSON.stringify(before)) got[player.name] = "no change";
  }
  if (writes) await putBack();
  return got;
}

const table: string[][] = [];

/** Returns a need as words for the table. What members and staff need is separated by a stroke, what both must have by "and". */
const wordsFor = (need: Need): string => {
  const own = typeof need === "object" && "isPersonal" in need ? "own " : "";
  return own + tasksIn(need).join(typeof need === "object" && "member" in need ? " / " : " and ");
};

/** Returns which actors get something else than the policies say. Adds the rows to the printed table. */
async function mistakesIn(rows: readonly Row[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const row of rows) {
    const got = await tried(row);
    table.push([row.what, ...players.map(({ name }) => got[name] ?? ""), wordsFor(row.need)]);
    for (const player of players) {
      const outcome = got[player.name] ?? "";
      const refusals = player.user || row.need === "a secret" ? ["no", "hidden"] : ["login"];
      const granted = row.need === "anyone" ? ["yes", "login"] : ["yes"];
      if (!(isMet(row.need, player, owner) ? granted : refusals).includes(outcome))
        mistakes.push(`${row.what}, ${player.name}: ${outcome}`);
    }
  }
  return mistakes;
}

const routes = (await pageRoutes())
  .filter(({ loader, action }) => loader ?? action)
  .toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));

test.each(routes.map((route) => [route.name, route] as const))(
  "[API-06] [CER-08] [DSH-03] %s gives each actor what the policies say",
  async (_, route) => expect(await mistakesIn(rowsOfRoute(route))).toEqual([]),
);

test.each(CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "[API-06] %s gives each actor what the policies say",
  async (_, call) => expect(await mistakesIn(rowsOfCall(call))).toEqual([]),
);

describe("the lists", () => {
  test("have a request for every task of members and of staff", () => {
    const rows = [...routes.flatMap(rowsOfRoute), ...CALLS.flatMap(rowsOfCall)];
    const tried = new Set(rows.flatMap(({ need }) => tasksIn(need)));
    expect(Object.keys({ ...COMPANY_TASKS, ...TASKS }).filter((task) => !tried.has(task))).toEqual([]);
  });

  test("have a request for every intent of a form about something that somebody owns", () => {
    const missing = routes
      .filter(({ name, action }) => action && listedFor(name).some(({ fields }) => fields !== undefined))
      .flatMap((route) => intentsBeside(route, listedFor(route.name)).map((intent) => `${route.name} ${intent}`));
    expect(missing).toEqual([]);
  });

  test("name only routes and calls that exist", () => {
    const names = routes.map(({ name }) => name);
    const listed = [ROUTE_NEEDS, ASKING, STAFF_ASKING, FURTHER].flatMap((list) => Object.keys(list));
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    const calls = CALLS.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(CALL_NEEDS).filter((name) => !calls.includes(name))).toEqual([]);
  });
});

const LEGEND = [
  "What each actor gets from every page, form and call, as tests/sqlite/roles.test.ts finds it.",
  "",
  "yes     gets it, or an answer about a mistake in the request",
  "no      is refused, because the role or the right does not allow it",
  "hidden  gets the answer for something that does not exist",
  "login   is asked to log in",
  "",
  "A stranger owns a company of their own. The members belong to another one, which owns what the requests are about. The last column says",
  "what a request needs: a task of members, after a stroke one of staff; 'any' is every account, 'own' only the person who made the thing.",
  "",
];

/** Returns the table as text. The names of actors are in two lines. */
function printed(): string {
  const names = players.map(({ name }) => name.split(/[- ]/));
  const first = names.map(([word = "", second]) => (second === undefined ? "" : word));
  const last = names.map((words) => words.at(-1) ?? "");
  const rows = [["", ...first, ""], ["", ...last, "needs"], ...table];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return [...LEGEND, ...lines.map((line) => line.trimEnd()), ""].join("\n");
}

test("[API-06] the table that the tests print is docs/security/actors.txt", async () => {
  const all = [...routes.flatMap(rowsOfRoute), ...CALLS.flatMap(rowsOfCall)];
  const isWhole = table.length === all.length; // not when only some of the tests are run
  if (isWhole) await expect(printed()).toMatchFileSnapshot("../../docs/security/actors.txt");
});

afterAll(() => process.stdout.write(printed()));
