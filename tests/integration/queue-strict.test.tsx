import { describe, expect, test } from "vitest";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { auditEventsOf, checksDone, createCertificateOrder } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs } from "../support/visitor";

usePortal({}, "strict");
const { makeCsr } = useOpenssl();

const order = async (given: Parameters<typeof createCertificateOrder>[2] = {}) =>
  (await createCertificateOrder(await createUser(), makeCsr().der, given)).id;
const buttonsOf = async (id: number, who: Awaited<ReturnType<typeof signedInAs>>) => {
  const { html } = await openPage(orderPage, who, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
  return {
    buttons: textsOf(html, "#queue-order button").filter(Boolean),
    ready: select(html, 'a[href*="all-ready"]').length,
  };
};

describe("[MAN-03] the form of an order under separated duties", () => {
  test("[MAN-03] lets an officer record and go on, and an approver approve, also all that are ready", async () => {
    const officer = await signedInAs(await createStaff(["registration-officer"]));
    const approver = await signedInAs(await createStaff(["approver"]));
    const [open, ready] = [await order(), await order(checksDone())];
    const of = await buttonsOf(open, officer);
    expect(of.buttons).toEqual(expect.arrayContaining(["Record and next"]));
    expect(of.buttons).not.toContain("Record and approve");
    expect(of.ready).toBe(0);
    const at = await buttonsOf(ready, approver);
    expect(at.buttons).toContain("Approve");
    expect(at.buttons.filter((text) => text.startsWith("Record"))).toEqual([]);
    expect(at.ready).toBe(1);
  });

  test("[MAN-03] refuses to record and approve at once, and records nothing", async () => {
    const both = await signedInAs(await createStaff(["registration-officer", "approver"]));
    const id = await order();
    expect((await buttonsOf(id, both)).buttons).not.toContain("Record and approve");
    const notes = { contact: "Called", organisation: "Seen", csr: "Agrees" };
    const fields = { ...checkForm(notes), intent: "approve" };
    const answer = await run(orderPage.action, await both.post(`/home/certificate-queue/${id}`, fields), {
      id: String(id),
    });
    const { status, errors } = await errorsOf(answer);
    expect([status, errors.contact]).toEqual([422, expect.stringContaining("the same person does not do both")]);
    expect(await auditEventsOf(id)).toEqual([]);
  });
});
