import { load as parse } from "cheerio";
import { describe, expect, test } from "vitest";
import { STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { queueMail } from "~/domain/mail/queue.service.server";
import { issueCreditNote, issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { loadOverview } from "~/domain/overview/overview.service.server";
import { type Work } from "~/domain/overview/waiting.service.server";
import { addDays, addMonths, formatDateTime } from "~/lib/dates";
import * as certificates from "~/routes/home.certificates";
import * as overview from "~/routes/home.overview";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { checksDone, createCertificateOrder, issueCertificate, setCertificate } from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { plainMail } from "../support/mails";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs } from "../support/visitor";

const ENDING = "Certificates that end, this month and the next 11";

usePortal();

interface Loaded {
  work: Work;
  queues: { title: string; count: number; page: string }[];
  figures: {
    title: string;
    chart: { bars: { label: string; value: number | null; x: number; width: number }[] };
  }[];
}

const mail = plainMail("Hello", "A message.");
const queued = (name: string, at: Date) =>
  inTransaction((trx) => queueMail(trx, { dedupeKey: `verify-email:${name}`, to: "a@example.com", mail }, at));

/** Returns what staff see now: the queues, and the bars of each figure by label. */
async function load() {
  const staff = await signedInAs(await createAdmin());
  const { queues, figures } = await jsonOf<Loaded>(await run(overview.loader, staff.get("/home/overview")));
  const bars = figures.map(({ title, chart }) => [
    title,
    new Map(chart.bars.map(({ label, value }) => [label, value])),
  ]);
  return { queues, figures, bars: Object.fromEntries(bars) as Record<string, Map<string, number | null>> };
}

const monthOf = (date: Date) => date.toLocaleString("en-US", { month: "short", year: "numeric", timeZone: "UTC" });

describe("the overview for staff", () => {
  test("[MAN-03] shows and counts first what waits, with links", async () => {
    const customer = await createUser();
    await createCertificateOrder(customer);
    await createCodeOrder(customer, "Full", 1);
    await createCodeOrder(customer, "Full", 2, { status: "Invoiced" });
    await createCodeOrder(customer, "Full", 2, { status: "Paid" });
    const { queues } = await load();
    expect(queues).toMatchObject([
      { title: "Certificate queue", count: 1, page: "/home/certificate-queue" },
      { title: "Standing authorisations", count: 0, page: "/home/standing-authorisations" },
      { title: "Open sales orders", count: 2, page: "/home/sale-orders?status=Open" },
      { title: "Payments to record", count: 1, page: "/home/sale-orders?status=Invoiced" },
      { title: "Repayments due", count: 0, page: "/home/sale-orders?overpaid=yes" },
      { title: "Rejected messages", count: 0, page: "/home/mail?state=rejected" },
      { title: "Alerts", count: 0, page: "/home/jobs" },
      { title: "Certificate audit", count: 0, page: "/home/certificate-audit" },
      { title: "Failing jobs", count: 0, page: "/home/jobs" },
    ]);
  });

  test("[MAN-03] shows at which stage orders wait and for how long, each with a link to its list", async () => {
    const customer = await createUser();
    const staff = await signedInAs(await createAdmin());
    await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("status", "=", "Pending").execute();
    const now = new Date();
    for (const days of [0, 2, 4, 7])
      await setCertificate((await createCertificateOrder(customer)).id, { requestedAt: addDays(now, -days) });
    await setCertificate((await createCertificateOrder(customer, undefined, checksDone())).id, { requestedAt: now });
    const work = async () =>
      (await jsonOf<Loaded>(await run(overview.loader, staff.get("/home/overview")))).work.waiting ?? [];
    expect(await work()).toMatchObject([
      { stage: "ready", count: 1, ages: [1, 0, 0, 0], age: 0, isLate: false, most: 4 },
      { stage: "new", count: 4, ages: [1, 1, 1, 1], age: 7, isLate: true, most: 4 },
    ]);
    const { html } = await openPage(overview, staff, "/home/overview");
    expect(textsOf(html, 'a[href="/home/certificate-queue?stage=new"]')).toEqual(["New"]);
    expect(pageText(html)).toContain("7 days");
    await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("status", "=", "Pending").execute();
    expect(await work()).toEqual([]);
  });

  test("[MAN-03] [REN-03] shows which companies have renewals due, and how many they have ordered", async () => {
    const [many, few] = [await createUser({ company: "Many Due Ltd" }), await createUser({ company: "Few Due Ltd" })];
    const now = new Date();
    const issue = async (customer: typeof many, days: number) => {
      const { id } = await issueCertificate({ customer });
      await setCertificate(id, { expiryDate: addDays(now, days) });
      return id;
    };
    const [first] = [await issue(many, 20), await issue(many, 6), await issue(few, 10), await issue(few, 40)];
    const { id: renewal } = await createCertificateOrder(many);
    await setCertificate(renewal, { previousCertificateId: first });
    const staff = await signedInAs(await createAdmin());
    const { due } = (await jsonOf<Loaded>(await run(overview.loader, staff.get("/home/overview")))).work;
    const ours = due?.rows.filter(({ company }) => company.endsWith("Due Ltd"));
    expect(ours).toMatchObject([
      { company: "Many Due Ltd", due: 2, ordered: 1, daysLeft: 6 },
      { company: "Few Due Ltd", due: 1, ordered: 0, daysLeft: 10 },
    ]);
    expect(ours?.[0]?.to).toBe(`/home/certificates?expires=30&companyId=${many.companyId}`);
    const { work: ofFinance } = await loadOverview({ rights: ["user-administrator"] });
    expect(ofFinance).toEqual({ waiting: null, due: null, failing: null, findings: null });
  });

  test("[MAN-03] [MAI-03] shows how many messages fail or wait unusually long, and since when", async () => {
    await getDb().deleteFrom("mails").execute();
    const tile = async () => (await load()).queues.find(({ title }) => title === "Messages that wait");
    await queued("first", new Date());
    expect(await tile()).toBeUndefined();
    const sinceLong = new Date(Date.now() - 16 * 60_000);
    await queued("second", sinceLong);
    expect(await tile()).toMatchObject({
      count: 2,
      page: "/home/mail",
      text: `None was tried yet. The oldest waits since ${formatDateTime(sinceLong.toISOString())} UTC.`,
    });
    await getDb()
      .updateTable("mails")
      .set({ sentAt: new Date() })
      .where("dedupeKey", "=", "verify-email:second")
      .execute();
    expect(await tile()).toBeUndefined();
    await getDb().updateTable("mails").set({ lastError: "421 later" }).where("sentAt", "is", null).execute();
    expect(await tile()).toMatchObject({ count: 1, text: expect.stringMatching(/^1 could not be sent/) as string });
    await getDb().deleteFrom("mails").execute();
  });

  test("[MAN-03] counts jobs whose last run failed, except those that this version does not have", async () => {
    const failing = async () => (await load()).queues.find(({ title }) => title === "Failing jobs")?.count;
    const nextRunAt = new Date();
    await getDb()
      .insertInto("jobs")
      .values([
        { name: "clean-up", nextRunAt, lastError: "the disk is full" },
        { name: "mail", nextRunAt, lastResult: "0 sent, 0 failed", lastFailure: "long ago" },
        { name: "of-another-version", nextRunAt, lastError: "gone" },
      ])
      .execute();
    expect(await failing()).toBe(1);
    const { html } = await openPage(overview, await signedInAs(await createAdmin()), "/home/overview");
    expect(pageText(html)).toContain("the disk is full");
    expect(pageText(html)).not.toContain("long ago");
    expect(select(html, 'form[action="/home/jobs"] button[name="job"]').attr("value")).toBe("clean-up");
    const auditor = await openPage(overview, await signedInAs(await createStaff(["auditor"])), "/home/overview");
    expect(pageText(auditor.html)).toContain("the disk is full");
    expect(textsOf(auditor.html, 'button[name="job"]')).toEqual([]);
    await getDb().updateTable("jobs").set({ lastError: null }).execute();
    expect(await failing()).toBe(0);
  });

  test("[MAN-03] shows orders by month, certificates by status, and expiries of the coming year", async () => {
    const before = (await load()).bars;
    const { id } = await issueCertificate();
    const [now, end] = [new Date(), addMonths(new Date(), 3)];
    await setCertificate(id, { expiryDate: end });
    const longAgo = addMonths(now, -13);
    await createCodeOrder(await createUser(), "Basic", 1, { createdAt: longAgo });
    const after = (await load()).bars;
    const more = (title: string, label: string) =>
      (after[title]?.get(label) ?? NaN) - (before[title]?.get(label) ?? NaN);
    expect(more("Certificate orders by month", monthOf(now))).toBe(1);
    expect(more("ID code orders by month", monthOf(now))).toBe(0);
    expect([...(after["ID code orders by month"]?.keys() ?? [])]).toHaveLength(12);
    expect(after["ID code orders by month"]?.has(monthOf(longAgo))).toBe(false);
    expect(more("Certificates by status", "Issued")).toBe(1);
    expect(more(ENDING, monthOf(end))).toBe(1);
    const nextYear = new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), 1));
    const lastDay = addDays(nextYear, -1);
    await setCertificate(id, { expiryDate: lastDay });
    const later = (await load()).bars[ENDING];
    expect(later?.get(monthOf(lastDay))).toBe((before[ENDING]?.get(monthOf(lastDay)) ?? 0) + 1);
    await setCertificate(id, { expiryDate: nextYear });
    const past = (await load()).bars[ENDING];
    expect(past?.get(monthOf(lastDay))).toBe((later?.get(monthOf(lastDay)) ?? 0) - 1);
  });

  test("[MAN-03] [SAL-05] shows the median time to the certificate, and to those who see sales orders the revenue", async () => {
    const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15));
    for (const days of [1, 2, 6]) {
      const { id } = await issueCertificate();
      await setCertificate(id, {
        requestedAt: addDays(lastMonth, -days),
        issuedAt: lastMonth,
        startDate: lastMonth,
      });
    }
    const admin = await createAdmin();
    const orderId = await createInvoiceableOrder(await createUser());
    const revenue = async () => (await load()).bars["Revenue by month without VAT, in euro"]?.get(monthOf(new Date()));
    const before = (await revenue()) ?? NaN;
    await issueInvoice(orderId, { id: admin.id, name: "staff" });
    expect(await revenue()).toBe(before + 900);
    const [invoice] = await invoicesOf(orderId);
    const credit = { orderId, invoiceId: invoice?.id ?? 0, reason: "Wrong company" };
    await issueCreditNote(credit, { id: admin.id, name: "staff" });
    expect(await revenue()).toBe(before);
    expect((await load()).bars["Days from order to certificate, median"]?.get(monthOf(lastMonth))).toBe(2);
    const titles = (await loadOverview({ rights: ["approver"] })).figures.map(({ title }) => title);
    expect(titles).toContain("Days from order to certificate, median");
    expect(titles).not.toContain("Revenue by month without VAT, in euro");
  });

  test("[MAN-03] the bars lead to the lists that the rights open", async () => {
    const staff = await signedInAs(await createAdmin());
    const { html } = await openPage(overview, staff, "/home/overview");
    const now = new Date();
    const [month, year] = [String(now.getUTCMonth() + 1).padStart(2, "0"), now.getUTCFullYear()];
    const hrefs = parse(html)("svg.chart a")
      .toArray()
      .map((link) => decodeURIComponent(link.attribs.href ?? ""));
    expect(hrefs).toContain("/home/certificates?search=Issued");
    expect(hrefs.find((href) => href.includes(`from=01/${month}/${year}`))).toContain("orderType=Certificate");
    expect(hrefs.find((href) => href.includes(`from=01/${month}/${year}`) && href.includes("codes"))).toBeDefined();
    expect(hrefs).toContain(`/home/sale-orders?invoiced=${year}-${month}`);
    expect(hrefs.find((href) => href.includes(`ends=${year}-${month}`))).toContain("certificateExpiryDate");
    expect(hrefs.find((href) => href.includes(`began=${year}-${month}`))).toContain("certificateStartDate");
    const { figures } = await loadOverview({ rights: ["operator"] });
    expect(figures.flatMap(({ chart }) => chart.bars.filter(({ to }) => to !== undefined))).toEqual([]);
  });

  test("[MAN-03] a bar has as many certificates as its list", async () => {
    const admin = await createAdmin();
    const visitor = await signedInAs(admin);
    const { id } = await issueCertificate();
    await setCertificate(id, { expiryDate: addDays(new Date(), 40), revocationDate: addDays(new Date(), 2) });
    const soon = await issueCertificate();
    await setCertificate(soon.id, { expiryDate: addDays(new Date(), 40), status: "RequestRevoke" });
    const { figures } = await loadOverview({ rights: STAFF_RIGHTS });
    for (const { label, value, to = "" } of figures.find(({ title }) => title === ENDING)?.chart.bars ?? []) {
      const { html } = await openPage(certificates, visitor, to);
      expect([label, select(html, 'main tbody tr:has(input[type="radio"], input[type="checkbox"])').length]).toEqual([
        label,
        value,
      ]);
    }
    const began = figures.find(({ title }) => title.startsWith("Days from order"))?.chart.bars ?? [];
    for (const { label, value, to = "" } of began) {
      const { html } = await openPage(certificates, visitor, to);
      expect([
        label,
        select(html, 'main tbody tr:has(input[type="radio"], input[type="checkbox"])').length > 0,
      ]).toEqual([label, value !== null]);
    }
  });

  test("[GEN-04] has bars that share a baseline and are as long as their numbers, with a table of the numbers", async () => {
    const { figures } = await load();
    for (const { chart } of figures) {
      const most = Math.max(...chart.bars.map(({ value }) => value ?? 0));
      const longest = Math.max(...chart.bars.map(({ width }) => width));
      expect(new Set(chart.bars.map(({ x }) => x)).size).toBe(1);
      for (const { value, width } of chart.bars)
        expect(width).toBeCloseTo(most > 0 ? (longest * (value ?? 0)) / most : 0);
    }
    const { html } = await openPage(overview, await signedInAs(await createAdmin()), "/home/overview");
    expect(select(html, "svg.chart")).toHaveLength(6);
    const issued = textsOf(html, 'th[scope="row"]:contains("Issued") + td.num');
    expect(issued).toEqual([expect.stringMatching(/^\d+$/)]);
  });
});

test("staff without a second factor are counted, but not those whose identity provider asks for two", async () => {
  const admin = await createAdmin();
  const staff = await signedInAs(admin);
  const factors = async () =>
    (await jsonOf<{ factors: string }>(await run(overview.loader, staff.get("/home/overview")))).factors;
  const before = Number.parseInt((await factors()).replace("One", "1"), 10);
  const [linked, alone] = [await createAdmin(), await createAdmin()];
  const identity = { issuer: "https://id.example", subject: "42", userId: linked.id, linkedAt: new Date() };
  await getDb().insertInto("signOnIdentities").values(identity).execute();
  expect(alone.id).not.toBe(linked.id);
  expect(await factors()).toBe(`${before + 1} members of staff have no second factor yet.`);
});
