import { describe, expect, test } from "vitest";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { loadOverview } from "~/domain/overview/overview.service.server";
import { formatDateTime } from "~/lib/dates";
import * as page from "~/routes/home.certificate-audit";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as overviewPage from "~/routes/home.overview";
import { apiClientOf } from "../support/api";
import { issueCertificate, setCertificate } from "../support/certificates";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

describe("the page of the nightly audit", () => {
  test("[AUD-02] shows each finding with its cause, its age and what to do, and the settled ones", async () => {
    const staff = await signedInAs(await createAdmin());
    const text = async (query = "") => pageText((await openPage(page, staff, `/home/certificate-audit${query}`)).html);
    expect(await text()).toContain("No audit has finished yet.");
    const [one, other] = [
      await issueCertificate({ customer: await createUser() }),
      await issueCertificate({ customer: await createUser() }),
    ];
    await setCertificate(one.id, { der: other.der });
    const now = new Date();
    await auditEverything(now);
    const { html } = await openPage(page, staff, "/home/certificate-audit");
    for (const part of [
      "read 2 certificates",
      "The order has the certificate of another one",
      `the certificate has ${other.serialNumber}. That is certificate ${other.id}.`,
      "Restore the order's own certificate from a backup, and find out who changed the database.",
      formatDateTime(now.toISOString()).slice(0, 10),
    ])
      expect(pageText(html)).toContain(part);
    expect(textsOf(html, `a[href="/home/certificate-details/${one.id}"]`)).toEqual([`certificate ${one.id}`]);
    expect(pageText(html)).toContain(`certificate ${one.id} : ${one.commonName}, ${one.organisation}`);
    expect(pageText(html)).toContain("less than a day ago");
    const details = (visitor: Visitor) =>
      openPage(detailsPage, visitor, `/home/certificate-details/${one.id}`, { params: { id: String(one.id) } });
    const found = "The nightly audit found something about this certificate:";
    expect(pageText((await details(staff)).html)).toContain(found);
    const finance = await signedInAs(await createStaff(["finance"]));
    expect(pageText((await details(finance)).html)).not.toContain(found);

    await setCertificate(one.id, { der: one.der });
    await auditEverything(new Date());
    expect(await text()).not.toContain("of another one");
    expect(await text("?state=settled")).toContain("The order has the certificate of another one");
  });

  test("[AUD-02][API-06] findings are in the overview, with age and what to do, and in a call, for those who can act and auditors only", async () => {
    const admin = await createAdmin();
    const { id, der } = await issueCertificate({ customer: await createUser() });
    await setCertificate(id, { der: null });
    await auditEverything(new Date());
    for (const right of ["operator", "approver", "registration-officer", "auditor"] as const)
      expect((await loadOverview({ rights: [right] })).queues).toContainEqual(
        expect.objectContaining({ title: "Certificate audit", count: 1, page: "/home/certificate-audit" }),
      );
    expect((await loadOverview({ rights: ["finance"] })).queues.map(({ title }) => title)).not.toContain(
      "Certificate audit",
    );
    const overview = async (right: "operator" | "finance") =>
      pageText((await openPage(overviewPage, await signedInAs(await createStaff([right])), "/home/overview")).html);
    const shown = await overview("operator");
    for (const part of [
      "Open findings",
      `certificate ${id}`,
      "less than a day ago",
      "Restore the certificate from a backup",
    ])
      expect(shown).toContain(part);
    expect(await overview("finance")).not.toContain("Open findings");
    const answer = await (
      await apiClientOf(admin.email, TEST_PASSWORD)
    ).get<{ checked: number; open: { rule: string; certificateId: number; todo: string }[] }>(
      "Operations/GetAuditFindings",
    );
    expect(answer.content.open).toMatchObject([{ rule: "unreadable", certificateId: id }]);
    const customer = await signedInAs(await createUser());
    expect((await run(page.loader, customer.get("/home/certificate-audit"))).status).toBe(303);
    await setCertificate(id, { der });
  });
});
