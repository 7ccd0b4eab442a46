import { beforeAll, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { saveBanner } from "~/domain/homepage/homepage.service.server";
import * as revoke from "~/routes/home.certificate.revoke.$id";
import * as jobs from "~/routes/home.jobs";
import * as mail from "~/routes/home.mail._index/route";
import * as manage from "~/routes/home.manage/route";
import * as promotionCodes from "~/routes/home.promotion-codes._index/route";
import * as codeOrders from "~/routes/home.sale-orders_.details/route";
import * as userPage from "~/routes/home.users.$id/route";
import { issueCertificate } from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

let auditor: Visitor;
let admin: Visitor;
let customer: Awaited<ReturnType<typeof createUser>>;

beforeAll(async () => {
  auditor = await signedInAs(await createStaff(["auditor"]));
  admin = await signedInAs(await createAdmin());
  customer = await createUser();
  const banner = { banner: "https://example.org/a.png", link: "https://example.org/", tooltip: "Fair" };
  await saveBanner(banner, systemActor("tests"));
});

/** Returns the number of buttons on a page that change something. */
async function buttonsOn(visitor: Visitor, page: object, path: string, params: Record<string, string> = {}) {
  const { html, status } = await openPage(page as Parameters<typeof openPage>[0], visitor, path, { params });
  expect(status).toBe(200);
  return select(html, 'main form[method="post"] button:not([aria-disabled])').length;
}

test("an auditor sees the pages of staff without the buttons that others have there", async () => {
  const order = await createCodeOrder(customer, "Basic", 1);
  const pages = [
    [jobs, "/home/jobs", {}],
    [mail, "/home/mail", {}],
    [manage, "/home/manage", {}],
    [userPage, `/home/users/${customer.id}`, { id: String(customer.id) }],
    [codeOrders, `/home/sale-orders/details?order=${order}`, {}],
  ] as const;
  for (const [page, path, params] of pages) {
    expect({ path, buttons: await buttonsOn(auditor, page, path, params) }).toEqual({ path, buttons: 0 });
    if (page !== mail) expect(await buttonsOn(admin, page, path, params)).toBeGreaterThan(0);
  }
  const { html } = await openPage(promotionCodes, auditor, "/home/promotion-codes");
  expect(html).not.toContain("New promotion code");
});

test("an auditor sees a customer's certificate, and cannot revoke it", async () => {
  const { id } = await issueCertificate({ customer, csr: makeCsr().der });
  const path = `/home/certificate/revoke/${id}`;
  const fields = { revocationReason: "4", description: "x", confirmed: "yes" };
  const answer = await run(revoke.action, await auditor.post(path, fields), { id: String(id) });
  expect(answer.status).not.toBe(200);
  const page = await run(revoke.loader, auditor.get(path), { id: String(id) });
  expect(page.status).toBe(303);
});
