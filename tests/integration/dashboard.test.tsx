import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { addDays, DAY, formatDate } from "~/lib/dates";
import * as certificates from "~/routes/home.certificates";
import * as dashboard from "~/routes/home.dashboard";
import * as orders from "~/routes/home.orders._index";
import { getDb } from "~db/connection.server";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs } from "../support/visitor";

usePortal();

const CSR_DETAILS = {
  commonName: "oftp2.example",
  organisation: "",
  organisationUnit: "",
  serialNumber: "",
  city: "",
  state: "",
  country: "",
  email: "",
  alternativeNames: [],
  keyAlgorithm: "RSA",
  keySize: 2048,
  keyFingerprint: "",
  ssid: null,
  leftOut: [],
};

const opened = async (user: { id: number }) =>
  (await openPage(dashboard, await signedInAs(user), "/home/dashboard")).html;

/** Returns the heading of each section, with its tiles and their addresses. */
function sectionsOf(html: string) {
  const $ = load(html);
  const sections = $("section")
    .toArray()
    .filter((section) => $(section).find("h3 > a").length > 0)
    .map((section) => {
      const tiles = $(section).find("h3 > a").toArray();
      return [$(section).find("h2").text(), tiles.map((tile) => `${$(tile).text()} ${tile.attribs.href}`)] as const;
    });
  return Object.fromEntries(sections);
}

/** Returns the texts of the tiles that count something. */
const countsOf = (html: string) => textsOf(html, ".tile .count:has(> strong)");

const SALES = "View Sales Orders /home/sale-orders";
const SEARCH = "Search The ID Code Register /home/search-codes";
const ADMINISTRATION = [
  "Manage Secure /home/manage",
  "Overview /home/overview",
  "Certificate queue /home/certificate-queue",
  "Companies /home/companies",
  "Users /home/users",
  "Promotion codes /home/promotion-codes",
  "Audit trail /home/audit-trail",
  "Security events /home/security-events",
  "Jobs /home/jobs",
  "Email /home/mail",
];

describe("dashboard", () => {
  test("counts pending orders in singular and plural", async () => {
    const admin = await createUser({ isAdmin: true });
    expect(countsOf(await opened(admin))).toContain("0 pending orders");
    await createCertificateOrder(await createUser());
    expect(countsOf(await opened(admin))).toContain("1 pending order");
  });

  test("[DSH-01] shows the tiles of an applicant", async () => {
    expect(sectionsOf(await opened(await createUser()))).toEqual({
      "ID Codes": ["Order & Manage Your ID Codes /home/codes"],
      Certificates: ["Order & Manage Your Certificates /home/certificates"],
    });
  });

  test("[DSH-01] shows the tiles of an administrator", async () => {
    expect(sectionsOf(await opened(await createAdmin()))).toEqual({
      "ID Codes": [SEARCH, "View ID Codes /home/codes", SALES],
      Certificates: ["View Certificates /home/certificates"],
      Administration: ADMINISTRATION,
    });
  });

  test("[DSH-01] shows the tiles of an administrator who is an applicant", async () => {
    expect(sectionsOf(await opened(await createUser({ isAdmin: true })))).toEqual({
      "ID Codes": ["Order & Manage Your ID Codes /home/codes", SEARCH, SALES],
      Certificates: ["Order & Manage Your Certificates /home/certificates"],
      Administration: ADMINISTRATION,
    });
  });

  test("[DSH-01] [SRC-02] offers the code search to owners of a code", async () => {
    const owner = await createUser();
    await createCode(owner);
    expect(sectionsOf(await opened(owner))["ID Codes"]).toContain(SEARCH);
  });

  test("[DSH-01] counts in its tiles what the user owns and what waits for administrators", async () => {
    const owner = await createUser();
    await createCertificateOrder(await createUser(), undefined, {
      status: "Issued",
      expiryDate: new Date(Date.now() + DAY),
    });
    expect(countsOf(await opened(owner))).toContain("0 active");
    await createCertificateOrder(owner, undefined, { status: "Issued", expiryDate: new Date(Date.now() + DAY) });
    await createCertificateOrder(owner, undefined, { status: "Issued", expiryDate: new Date(Date.now() - DAY) });
    await createCertificateOrder(owner);
    const html = await opened(owner);
    expect(countsOf(html)).toContain("1 active");
    expect(html).not.toContain("pending order");
  });

  test("[DSH-01] shows the number of the user's codes and a link to learn more", async () => {
    const owner = await createUser();
    await createCode(await createUser());
    const html = await opened(owner);
    expect(html).toContain("You have 0 ID codes.");
    expect(textsOf(html, 'a[href="https://example.org/faq"]')).toEqual(["Learn more about ID codes"]);
    const { id, code } = await createCode(owner);
    expect(await opened(owner)).toContain("You have 1 ID code.");
    await createCode(owner, { code, subcode: "01", parentId: id, status: "Cancelled" });
    expect(await opened(owner)).toContain("You have 2 ID codes.");
  });

  test("[DSH-01] [DSH-03] redirects anonymous visitors to the login, which leads back", async () => {
    const answer = await run(dashboard.loader, (await anonymous()).get("/home/dashboard"));
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/login"]);
  });
});

describe("[DSH-01] what a company has and what to do next", () => {
  const ends = (days: number) => ({ status: "Issued", expiryDate: addDays(new Date(), days) }) as const;
  const countLinks = (html: string) => {
    const $ = load(html);
    return $(".counts > li")
      .toArray()
      .map((item) => `${$(item).find("strong").text()} ${$(item).find("a").text()} ${$(item).find("a").attr("href")}`);
  };

  test("counts lead to lists that show what they count, and tasks come in the order of urgency", async () => {
    const owner = await createUser();
    const certificate = (given: object) => createCertificateOrder(owner, undefined, given);
    const soon = await certificate({ ...ends(20), commonName: "soon.example" });
    await certificate({ ...ends(80), commonName: "later.example" });
    await certificate({ ...ends(-3), status: "Expired", commonName: "ended.example" });
    await certificate({ ...ends(3), commonName: "renewed.example" }).then(({ id, companyId }) =>
      certificate({ orderType: "Renewal", previousCertificateId: id, companyId, contactAnswer: "refused" }),
    );
    const waiting = await certificate({ commonName: "waiting.example" });
    const unpaid = await createCodeOrder(owner, "Full", 1, { status: "Invoiced", invoiceDate: new Date() });
    await createCertificateOrder(await createUser(), undefined, ends(5));

    const visitor = await signedInAs(owner);
    const { html } = await openPage(dashboard, visitor, "/home/dashboard");
    expect(countLinks(html)).toEqual([
      "3 Active /home/certificates?state=active",
      "2 Expiring /home/certificates?expires=30",
      "2 Pending /home/certificates?state=pending",
      "1 Unpaid /home/orders?unpaid=yes",
    ]);
    const tasks = textsOf(html, ".tasks strong");
    expect(tasks[0]).toBe("ended.example ended 3 days ago");
    expect(tasks[1]).toBe("soon.example ends in 20 days");
    expect(tasks[2]).toMatch(/^SO-\d+ was refused by Bernd Boss$/);
    expect(tasks.slice(3)).toEqual([`SO-${waiting.orderId} waits for Bernd Boss`, `SO-${unpaid} is not paid`]);
    expect(textsOf(html, ".tasks .primary")).toEqual(["Renew ended.example"]);
    const ids = load(html)('.tasks input[name="id"]').toArray();
    expect(ids.map((field) => field.attribs.value)).toContain(String(soon.id));

    for (const [path, names] of [
      ["/home/certificates?state=active", ["later.example", "renewed.example", "soon.example"]],
      ["/home/certificates?expires=30", ["renewed.example", "soon.example"]],
      ["/home/certificates?state=expired", ["ended.example"]],
      [
        `/home/certificates?ends=${soon.expiryDate?.slice(0, 7)}`,
        expect.arrayContaining(["soon.example"]) as unknown as string[],
      ],
    ] as const)
      expect(textsOf((await openPage(certificates, visitor, path)).html, "tbody th a").toSorted()).toEqual(names);
    const shown = (await openPage(orders, visitor, "/home/orders?unpaid=yes")).html;
    expect(textsOf(shown, "tbody th")).toEqual([`SO-${unpaid}`]);
    const list = (await openPage(certificates, visitor, "/home/certificates")).html;
    expect(textsOf(list, 'nav[aria-label="Certificates by status"] a')).toEqual([
      "All",
      "Active (3)",
      "Pending (2)",
      "Expired (1)",
    ]);
    const none = (await openPage(certificates, visitor, "/home/certificates?search=zzz")).html;
    expect(textsOf(none, "tbody td")).toEqual(["No records found for zzz. Clear search"]);
    const strip = load(html)(".strip a").toArray();
    const month = `/home/certificates?ends=${soon.expiryDate?.slice(0, 7)}`;
    expect(strip.map((bar) => bar.attribs.href)).toContain(month);
    expect(textsOf(html, ".log li").length).toBe(5);
  });

  test("a rejected order and a revocation to come are tasks, and orders that ended are events", async () => {
    const owner = await createUser();
    const now = new Date();
    const ended = { requestedAt: addDays(now, -1), decidedAt: now, decisionReason: "No such company" };
    const rejected = await createCertificateOrder(owner, undefined, { ...ended, status: "Rejected" });
    await createCertificateOrder(owner, undefined, {
      ...ended,
      status: "Rejected",
      decidedAt: addDays(new Date(), -20),
    });
    await createCertificateOrder(owner, undefined, { ...ended, status: "Cancelled", commonName: "cancelled.example" });
    const on = addDays(new Date(), 6);
    const leaving = {
      ...ends(90),
      status: "RequestRevoke",
      revocationDate: on,
      commonName: "leaving.example",
    } as const;
    await createCertificateOrder(owner, undefined, leaving);
    const html = await opened(owner);
    expect(textsOf(html, ".tasks strong")).toEqual([
      `SO-${rejected.orderId} was rejected`,
      `leaving.example is revoked on ${formatDate(on.toISOString())}`,
    ]);
    expect(textsOf(html, ".tasks .hint").join()).toContain("No such company");
    const events = textsOf(html, ".log li div").join();
    expect(events).toContain("was rejected");
    expect(events).toContain("cancelled.example was cancelled");
  });

  test("events of the same moment stand with the last step first, and a certificate far ahead is not 'one more'", async () => {
    const owner = await createUser();
    const at = new Date();
    const steps = { requestedAt: at, contactAnsweredAt: at, issuedAt: at, revocationDate: at };
    await createCertificateOrder(owner, undefined, { ...steps, contactAnswer: "authorised", status: "Revoked" });
    const events = textsOf(await opened(owner), ".log li div").map((text) => text.split(" ").slice(-4, -1).join(" "));
    expect(events).toEqual([
      expect.stringContaining("was revoked"),
      expect.stringContaining("was issued"),
      expect.stringContaining("authorised"),
      expect.stringContaining("was ordered"),
    ]);
    await createCertificateOrder(owner, undefined, ends(900));
    expect(await opened(owner)).toContain("One ends later.");
    await createCertificateOrder(owner, undefined, ends(90));
    expect(await opened(owner)).toContain("One more ends later.");
  });

  test("shows the steps to the first certificate until the first order, with one primary button", async () => {
    const owner = await createUser({ emailVerifiedAt: null });
    const visitor = await signedInAs(owner);
    const steps = async () => {
      const { html } = await openPage(dashboard, visitor, "/home/dashboard");
      return [textsOf(html, ".order-steps [aria-current] h3"), textsOf(html, ".order-steps .primary")];
    };
    expect(await steps()).toEqual([["Confirm your email"], []]); // the note above the page sends the link again
    const draft = await startDraft(purchaseWizard, owner.id, { imported: { csr: "CSR", details: CSR_DETAILS } });
    const { html } = await openPage(dashboard, visitor, "/home/dashboard");
    expect(textsOf(html, ".order-steps a.btn")).toEqual(["Continue the order"]);
    await getDb().deleteFrom("drafts").where("id", "=", draft).execute();
    await getDb().updateTable("users").set({ emailVerifiedAt: new Date() }).where("id", "=", owner.id).execute();
    expect(await steps()).toEqual([["Prepare key and CSR"], ["Start the order"]]);
    await createCertificateOrder(owner);
    expect(await steps()).toEqual([[], []]);
  });

  test("shows no steps to members who do not order, and none to staff", async () => {
    for (const user of [await createUser({ isApplicant: false }), await createAdmin()])
      expect(await opened(user)).not.toContain("Get your first certificate");
  });
});

describe("header", () => {
  const isDisabledFor = async (user: { id: number }) => {
    const visitor = await signedInAs(user);
    return (await jsonOf<Shell>(await run(({ request }) => loadShell(request), visitor.get("/home/dashboard")))).user
      ?.headerDisabled;
  };

  test("[DSH-02] is disabled while a duty is open: missing details, an expired password, several accounts", async () => {
    expect(await isDisabledFor(await createUser())).toBe(false);
    expect(await isDisabledFor(await createUser({ detailsMissing: true }))).toBe(true);
    expect(await isDisabledFor(await createUser({ mustChangePassword: true }))).toBe(true);
    const email = "several@example-parts.com";
    const one = await createUser({ email, username: email });
    await createUser({ email, username: "several-2" });
    expect(await isDisabledFor(one)).toBe(true);
  });
});
