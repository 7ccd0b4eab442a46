import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { DAY } from "~/lib/dates";
import * as dashboard from "~/routes/home.dashboard";
import { createCertificateOrder } from "../support/certificates";
import { createCode } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs } from "../support/visitor";

usePortal();

const opened = async (user: { id: number }) =>
  (await openPage(dashboard, await signedInAs(user), "/home/dashboard")).html;

/** Returns the heading of each section, with its tiles and their addresses. */
function sectionsOf(html: string) {
  const $ = load(html);
  const sections = $("section")
    .toArray()
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
  "Certificate Queue /home/certificate-queue",
  "Companies /home/companies",
  "Users /home/users",
  "Promotion Codes /home/promotion-codes",
  "Audit Trail /home/audit-trail",
  "Security Events /home/security-events",
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
    expect(html).not.toContain("pending");
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
