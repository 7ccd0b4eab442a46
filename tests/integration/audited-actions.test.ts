import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { type ActionFunctionArgs } from "@remix-run/node";
import { describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { retryMails } from "~/domain/mail/send-again.service.server";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { changedTables, type Deed, deed, eventsAfter, lastEntry, stateOfTables } from "../support/audited";
import { runCommand } from "../support/command";
import { useDomainServers } from "../support/domains";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { ACCOUNTS, PARTNER_SECRET } from "./audited/accounts";
import { API_CLIENTS } from "./audited/api-clients";
import { certificates } from "./audited/certificates";
import { CODES } from "./audited/codes";
import { COMPANIES } from "./audited/companies";
import { domainDeeds } from "./audited/domains";
import { STAFF } from "./audited/staff";
import { standingDeeds } from "./audited/standing";
import { WEBHOOKS } from "./audited/webhooks";

const portal = usePortal({ PARTNER_SECRET });
const { makeCsr } = useOpenssl();
const servers = useDomainServers();

/** What a user does at each route with an action, and the audit entries that are recorded. */
const DEEDS: Record<string, readonly Deed[]> = {
  ...ACCOUNTS,
  ...API_CLIENTS,
  ...COMPANIES,
  ...domainDeeds(servers),
  ...standingDeeds(makeCsr),
  ...WEBHOOKS,
  ...certificates(makeCsr),
  ...CODES,
  ...STAFF,
};

/** Actions that change nothing here, each with the reason. */
const IDLE: Record<string, string> = {
  "home.certificate-queue.confirm": "needs a signer; signer-grants.test.tsx goes through its entries",
  "home.signer._index": "needs a signer; signer-grants.test.tsx goes through its entries",
  "home.standing-authorisations.$id_.confirm": "needs a signer; standing-grants.test.tsx goes through its entries",
  $: "answers unknown addresses with 'not found'",
  "acme.$": "takes no forms; acme-accounts.test.ts and acme-orders.test.ts look at the entries",
  "api.$": "hands each call to the service that a page's action uses; audited-calls.test.ts goes through them",
};

type Action = (args: ActionFunctionArgs) => unknown;
interface RouteModule {
  action?: Action;
}

const routes = Object.values(flatRoutes(resolve("app")));

const actions = new Map<string, Action>();
for (const { id, file } of routes) {
  const { action } = (await import(resolve("app", file))) as RouteModule;
  if (action) actions.set(id.replace(/^routes\//, ""), action);
}

const pathOf = (name: string) => `/${routes.find(({ id }) => id === `routes/${name}`)?.path ?? ""}`;

/** Performs the action. Returns the answer's status, the tables that changed and the audit entries that were recorded. */
async function outcomeOf(name: string, action: Action, { prepare }: Pick<Deed, "prepare">) {
  const { visitor, fields = {}, path = pathOf(name), params = {}, headers = {} } = await prepare();
  const [before, last] = [await stateOfTables(), await lastEntry()];
  const { status } = await run(action, await visitor.post(path, fields, headers), params);
  return { status, events: await eventsAfter(last), changed: changedTables(before, await stateOfTables()) };
}

test("[AUD-02] every route with an action names the audit entries that it writes", () => {
  expect([...actions.keys()].toSorted()).toEqual([...Object.keys(DEEDS), ...Object.keys(IDLE)].toSorted());
});

test("[AUD-02] a change without an entry fails the test", async () => {
  const user = await createUser();
  const visitor: Visitor = await signedInAs(user);
  const action = () => updateUser(getDb(), user.id, { position: "CEO" }).then(() => null);
  const { prepare } = deed("", [], () => Promise.resolve({ visitor }));
  expect(await outcomeOf("home._index", action, { prepare })).toMatchObject({ events: [], changed: ["users"] });
});

test("[AUD-02] sending all messages from the command line writes an entry when there are any", async () => {
  const { email } = await createUser();
  const last = await lastEntry();
  await retryMails(systemActor("command line"));
  expect(await eventsAfter(last)).toEqual([]);
  const mail = { subject: "Subject", text: "Text", html: "<p>Text</p>" };
  await inTransaction((trx) => queueMail(trx, { dedupeKey: "verify-email:retried", to: email, mail }));
  const { code } = await runCommand(["mail", "retry"], portal.env);
  expect({ code, events: await eventsAfter(last) }).toEqual({ code: 0, events: ["mail.retried"] });
});

describe.each(Object.entries(DEEDS))("%s", (name, deeds) => {
  test.each(deeds.map((one) => [one.what, one] as const))("[AUD-02] %s", async (_what, one) => {
    const { status, events, changed } = await outcomeOf(name, actions.get(name) as Action, one);
    expect({ done: status < 400, events }).toEqual({ done: true, events: one.events });
    if (one.events.length === 0) expect(changed).toEqual([]);
  });
});
