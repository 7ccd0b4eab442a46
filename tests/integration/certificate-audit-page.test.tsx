import { describe, expect, test } from "vitest";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { loadOverview } from "~/domain/overview/overview.service.server";
import { formatDateTime } from "~/lib/dates";
import * as page from "~/routes/home.certificate-audit";
import { apiClientOf } from "../support/api";
import { issueCertificate, setCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs } from "../support/visitor";

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

    await setCertificate(one.id, { der: one.der });
    await auditEverything(new Date());
    expect(await text()).not.toContain("of another one");
    expect(await text("?state=settled")).toContain("The order has the certificate of another one");
  });

  test("[AUD-02][API-06] findings are in the overview and in a call, for operators and auditors only", async () => {
    const admin = await createAdmin();
    const { id, der } = await issueCertificate({ customer: await createUser() });
    await setCertificate(id, { der: null });
    await auditEverything(new Date());
    const { queues } = await loadOverview({ rights: ["operator"] });
    expect(queues).toContainEqual(
      expect.objectContaining({ title: "Certificate Audit", count: 1, page: "/home/certificate-audit" }),
    );
    expect((await loadOverview({ rights: ["finance"] })).queues.map(({ title }) => title)).not.toContain(
      "Certificate Audit",
    );
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
