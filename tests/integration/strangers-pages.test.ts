import { beforeAll, describe, expect, test } from "vitest";
import { clientFields } from "../support/api-clients";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { filled, type PageRoute, pageRoutes } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { createOther, type Ids, SECRET, stateFor, UNKNOWN, withoutIds } from "../support/strangers";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { confirmed as revocation, toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

/** A request to a route. With `fields`, a form is sent to its action; otherwise its loader is called. */
interface Asking {
  params?: Record<string, string>;
  query?: Record<string, string>;
  fields?: Record<string, string>;
}

const asked = (asking: Asking, ...forms: Record<string, string>[]): Asking[] => [
  asking,
  ...forms.map((fields) => ({ ...asking, fields })),
];

const wizardStep = ({ purchaseDraft, renewalDraft }: Ids) => [
  ...asked({ params: { wizard: "purchase" }, query: { draft: purchaseDraft } }, {}),
  ...asked({ params: { wizard: "renew" }, query: { draft: renewalDraft } }, {}),
];
const codeStep = ({ codePurchaseDraft: draft }: Ids) => asked({ query: { draft } }, {});

/**
 * Requests of each route for things of another user, with the parameters of its path, its query and its forms. A route that takes no ids of
 * users' things has []. Routes for administrators can be omitted. The tests fail for any other route that is missing here.
 */
const ASKING: Record<string, (ids: Ids) => Asking[]> = {
  "home.certificate-csr.$id": ({ certificate, pendingCertificate }) => [
    ...asked({ params: { id: certificate } }),
    ...asked({ params: { id: pendingCertificate } }),
  ],
  "home.certificate-details.$id": ({ certificate, pendingCertificate }) => [
    ...asked({ params: { id: certificate } }, { intent: "renew" }),
    ...asked({ params: { id: pendingCertificate } }, { intent: "cancel", confirmed: "yes", decisionReason: "" }),
  ],
  "home.certificate-download.$id": ({ certificate: id }) => asked({ params: { id } }),
  "home.certificate-file.$id": ({ certificate: id }) => asked({ params: { id } }),
  "home.certificate.revoke.$id": ({ certificate: id }) => asked({ params: { id } }, revocation()),
  "home.certificate.$wizard.contact-details": wizardStep,
  "home.certificate.$wizard.order": wizardStep,
  "home.certificate.$wizard.invoice-address": wizardStep,
  "home.certificate.$wizard.order-complete": ({ orderedDraft: draft }) => asked({ query: { draft } }),
  "home.certificates": ({ certificate: id }) =>
    ["view", "download", "renew", "revoke"].map((intent) => ({ fields: { id, intent } })),
  "home.code.purchase.contact-details": codeStep,
  "home.code.purchase.order": codeStep,
  "home.code.purchase.invoice-address": codeStep,
  "home.code.purchase.order-complete": ({ orderedCodesDraft: draft }) => asked({ query: { draft } }),
  "home.codes": ({ code: id }) => ["view", "sub-entity"].map((intent) => ({ fields: { id, intent } })),
  "home.codes_.code-details": ({ code, subcode, codeDraft: draft }) => [
    ...asked({ query: { code } }, { entityName: "Taken over" }, { contact: "" }),
    ...asked({ query: { code: subcode } }),
    ...asked({ query: { parent: code } }),
    ...asked({ query: { draft } }, { entityName: "Taken over" }, { contact: "" }),
  ],
  "home.codes_.code-details_.contact-details": ({ code, contact, codeDraft: draft }) => [
    ...asked({ query: { code, contact } }),
    ...asked({ query: { draft, contact } }, { firstName: "Taken", lastName: "Over" }),
  ],
  "home.file": () => [], // redirects without checking whether the file exists
  "home.invoice.$id": ({ invoice: id }) => asked({ params: { id } }),
  "home.search-codes": () => [], // everybody who has a code can search the register; the details are refused: see below
  home: () => [],
  "home._index": () => [],
  "home.certificate-repository": () => [],
  "home.certificate.$wizard": () => [],
  "home.certificate.$wizard._index": () => [],
  "home.certificate.purchase_.promotion": () => [],
  "home.certificates_.certificate-repository": () => [],
  "home.code.purchase": () => [],
  "home.code.purchase._index": () => [],
  "home.company": ({ invitation }) => [{ fields: { withdraw: invitation } }],
  "home.company_.api-clients._index": () => [],
  "home.company_.api-clients.new": () => [],
  "home.company_.api-clients.$id": ({ apiClient: id, apiClientSecret: secret }) =>
    asked(
      { params: { id } },
      { intent: "revoke", confirmed: "yes" },
      { intent: "end-secret", confirmed: "yes", secret },
      { intent: "secret", overlap: "now", newest: secret },
      { intent: "change", ...clientFields() },
    ),
  "home.company_.$id": ({ user: id }) => asked({ params: { id } }, { intent: "role", role: "reader" }),
  "home.dashboard": () => [],
  "home.frame.$targetSite.$targetUrl.($json)": () => [],
  "home.frame-problem.$targetSite.$targetUrl": () => [],
  "home.sessions": () => [], // sessions-page.test.tsx tries a session of somebody else
  "home.user-management": () => [],
};

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
