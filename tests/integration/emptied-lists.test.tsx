import { beforeAll, describe, expect, test } from "vitest";
import * as auditTrail from "~/routes/home.audit-trail";
import * as queue from "~/routes/home.certificate-queue._index";
import * as certificates from "~/routes/home.certificates";
import * as codes from "~/routes/home.codes/route";
import * as companies from "~/routes/home.companies._index";
import * as mail from "~/routes/home.mail._index/route";
import * as promotionCodes from "~/routes/home.promotion-codes._index/route";
import * as salesOrders from "~/routes/home.sale-orders/route";
import * as codeSearch from "~/routes/home.search-codes/route";
import * as securityEvents from "~/routes/home.security-events";
import * as users from "~/routes/home.users._index";
import { createAdmin, createUser } from "../support/factories";
import { select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs, type Visitor } from "../support/visitor";

usePortal();
let staff: Visitor;
let customer: Visitor;

beforeAll(async () => {
  staff = await signedInAs(await createAdmin());
  customer = await signedInAs(await createUser());
});

type Route = Parameters<typeof openPage>[0];

/** Returns what the empty table of a page says, and where its link leads. */
async function emptyTable(route: Route, path: string, visitor = staff) {
  const { html } = await openPage(route, visitor, path);
  return { texts: textsOf(html, "tbody td"), to: select(html, "tbody td a").attr("href") };
}

describe("a list that a search has emptied", () => {
  test.each<[string, Route, string, string, string]>([
    ["[MAN-03] the certificate queue", queue, "/home/certificate-queue", "size=25&search=zzz", "?size=25"],
    ["[CER-01] the certificates", certificates, "/home/certificates", "search=zzz", ""],
    ["[MAN-02] the users", users, "/home/users", "search=zzz&state=locked", ""],
    ["[MAN-02] the companies", companies, "/home/companies", "sort=number.desc&search=zzz", "?sort=number.desc"],
    ["[MAI-03] the email", mail, "/home/mail", "search=zzz", ""],
    ["[AUD-02] the audit trail", auditTrail, "/home/audit-trail", "text=zzz", ""],
    ["[SAL-01] the sales orders", salesOrders, "/home/sale-orders", "company=zzz&overpaid=yes", "?overpaid=yes"],
    ["[PUR-07] the promotion codes", promotionCodes, "/home/promotion-codes", "search=zzz", ""],
    ["[SRC-02] the code search", codeSearch, "/home/search-codes", "company=zzz", ""],
    ["[COD-01] the registered codes", codes, "/home/codes", "show=codes&search=zzz", "?show=codes"],
    ["[AUD-02] the security events", securityEvents, "/home/security-events", "user=zzz&page=2", ""],
  ])("%s: names the words and clears them with a link", async (_name, route, path, query, rest) => {
    const { texts, to } = await emptyTable(route, `${path}?${query}`);
    expect(texts).toEqual(["No records found for zzz. Clear search"]);
    expect(to).toBe(path + rest);
  });

  test("[MAN-03] [MAN-02] a filter alone is undone by a link, too", async () => {
    const path = "/home/certificate-queue?work=mine";
    expect(await emptyTable(queue, path)).toEqual({
      texts: ["No records found. Show all orders"],
      to: "/home/certificate-queue",
    });
    expect(await emptyTable(users, "/home/users?state=disabled")).toEqual({
      texts: ["No records found. Show all users"],
      to: "/home/users",
    });
  });

  test("[MAN-03] [PUR-07] [COD-01] [MAI-03] an empty list without a search says what belongs in it", async () => {
    const said = async (...asked: Parameters<typeof emptyTable>) => (await emptyTable(...asked)).texts.join();
    expect(await said(queue, "/home/certificate-queue")).toBe(
      "No records found. Orders wait here from the moment they are placed until they are approved, rejected or cancelled.",
    );
    expect(await said(promotionCodes, "/home/promotion-codes")).toContain(
      "the promotion codes that staff have created",
    );
    expect(await said(mail, "/home/mail")).toBe("No records found. No message waits to be sent.");
    expect(await said(codes, "/home/codes", staff)).toContain("the codes that customers have registered");
    expect(await said(codes, "/home/codes", customer)).toContain("Purchase an ID code first");
  });
});
