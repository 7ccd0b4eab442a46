import { beforeAll, describe, expect, test } from "vitest";
import { type Asking, ASKING } from "../support/asking-pages";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { filled, type PageRoute, pageRoutes } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { createOther, SECRET, stateFor, UNKNOWN, withoutIds } from "../support/strangers";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

const routes = (await pageRoutes()).filter(({ pattern }) => /^home(\/|$)/.test(pattern));

let visitor: Visitor;
let owner: Visitor;
let other: Awaited<ReturnType<typeof createOther>>;

beforeAll(async () => {
  const user = await createUser();
  await createCode(user, { code: "AA1A" }); // can search the register, too
  other = await createOther(makeCsr);
  [visitor, owner] = [await signedInAs(user), await signedInAs(other.other)];
});

const ANY = { wizard: "purchase", id: "1", kind: "any", batch: "any", targetSite: "odette", targetUrl: "any" };

/** Returns the answer: its redirect, the message on the next page, and its content. */
async function answerOf(route: PageRoute, who: Visitor, { params = {}, query = {}, fields }: Asking) {
  const filling = { ...ANY, ...params };
  const path = `${filled(route.pattern, filling)}?${new URLSearchParams(query).toString()}`;
  const handler = fields ? route.action : route.loader;
  if (!handler) return null;
  const answer = await run(handler, fields ? await who.post(path, fields) : who.get(path), filling);
  const [to, text] = [answer.headers.get("Location"), await answer.clone().text()];
  return { status: answer.status, to, told: (await toastOf(answer))?.text, text };
}

type Answer = Awaited<ReturnType<typeof answerOf>>;
const plain = (answer: Answer) => withoutIds(JSON.stringify(answer), UNKNOWN, other.ids);

/** Returns whether both the loader and the action of the route redirect applicants. */
async function isClosed(route: PageRoute): Promise<boolean> {
  const answers = [await answerOf(route, visitor, {}), await answerOf(route, visitor, { fields: {} })];
  return answers.every((answer) => answer === null || answer.told === "This page is for staff.");
}

describe.each(routes.map((route) => [route.name, route] as const))("%s", (name, route) => {
  test("[API-06] [CER-08] hides data of another applicant, which can be neither changed nor told from missing data", async () => {
    if (await isClosed(route)) return;
    const asking = ASKING[name];
    if (!asking) throw new Error(`ASKING does not say which ids of somebody's things ${name} takes; [] when none.`);
    const before = await stateFor(other.other);
    const unknown = asking(UNKNOWN);
    for (const [index, one] of asking(other.ids).entries()) {
      const [foreign, nobodys] = [
        await answerOf(route, visitor, one),
        await answerOf(route, visitor, unknown[index] ?? {}),
      ];
      expect({ one, answer: plain(foreign) }).toEqual({ one, answer: plain(nobodys) });
      expect(plain(foreign)).not.toContain(SECRET);
      expect(foreign?.status).toBeGreaterThanOrEqual(300);
    }
    expect(plain(await answerOf(route, visitor, {}))).not.toContain(SECRET);
    expect(await stateFor(other.other)).toEqual(before);
    for (const one of asking(other.ids).filter(({ fields }) => !fields))
      expect(plain(await answerOf(route, owner, one))).not.toBe(plain(await answerOf(route, visitor, one)));
  });
});

test("[API-06] [SRC-02] the register shows the name of a foreign code and refuses its details", async () => {
  const search = routes.find(({ name }) => name === "home.search-codes") as PageRoute;
  const found = await answerOf(search, visitor, { query: { code: "QQ1Q" } });
  expect(found?.text).toContain("Public Plant");
  expect(found?.text).not.toContain(SECRET);
  const details = await answerOf(search, visitor, { fields: { id: other.ids.code } });
  expect(details).toMatchObject({ status: 422, to: null });
  expect(details?.text).not.toContain(SECRET);
});
