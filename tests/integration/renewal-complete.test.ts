import { describe, expect, test } from "vitest";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { type CompletedOrder } from "~/domain/orders/completed-order.service.server";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { auditEventsOf, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { untilOthersWait } from "../support/lock-waits";
import { useOpenssl } from "../support/openssl";
import { readable, textOf } from "../support/outbox";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { purchase, renewal } from "../support/wizard-routes";
import { type Buyer, CONTACT, draftRow, ordersOf } from "./purchase-journey";
import { newRenewer, startRenewing } from "./renewal-journey";

const { loader: completeLoader, meta } = purchase.complete;

usePortal();
const { makeCsr } = useOpenssl();
const SUBJECT = "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example";
/** Returns the CSR of a certificate that will be renewed. It has a new key each time, because a key belongs to one account. */
const oldCsr = () => makeCsr({ subject: SUBJECT, san: ["DNS:oftp.acme.example", "IP:192.0.2.7"] }).der;
/** Returns a CSR for a renewal. It has a new key each time, because a renewal needs a key that has not been used. */
const newCsr = () => makeCsr({ subject: "/C=DE/L=Muenchen/O=ACME GmbH/OU=IT/CN=oftp.acme.example" });

const locationOf = (response: Response) => response.headers.get("Location");
const renewalsOf = (id: number) =>
  getDb().selectFrom("certificates").selectAll().where("previousCertificateId", "=", id).execute();
const completePage = async (buyer: Buyer) =>
  jsonOf<CompletedOrder>(await run(completeLoader, buyer.visitor.get(buyer.url("order-complete"))));

async function onlyRenewal(id: number) {
  const [renewal, ...others] = await renewalsOf(id);
  expect(others).toEqual([]);
  if (!renewal) throw new Error("There is no renewal.");
  return renewal;
}

describe("[REN-01] Complete Order of a renewal", () => {
  test("[REN-01] [PUR-12] stores a pending renewal with the original's subject, names, usage and issuer", async () => {
    const given = { hasEmail: false, hasFileSigning: false, ssid: "O0177ABCD", isManualSsid: true };
    const { original, renewer } = await newRenewer(oldCsr(), given);
    const csr = newCsr();
    await renewer.upToInvoice(csr.pem, { hasEmail: "on", oftpid: "O0177EVIL", promoCode: "ABCDEFGHI" });
    const answer = await renewer.invoice();
    expect(locationOf(answer)).toBe(paths.certificatePurchase("order-complete", renewer.draft));
    const renewal = await onlyRenewal(original.id);
    expect(renewal).toMatchObject({
      userId: renewer.user.id,
      status: "Pending",
      orderType: "Renewal",
      previousCertificateId: original.id,
      commonName: "oftp.acme.example",
      organisation: "Acme GmbH",
      organisationUnit: "EDI",
      locality: "Muenchen",
      state: "Bayern",
      country: "DE",
      email: null,
      ssid: "O0177ABCD",
      isManualSsid: true,
      hasSecureSession: true,
      hasEmail: false,
      hasEncryption: true,
      hasFileSigning: false,
      validityYears: 2,
      hierarchy: "sha2",
      subjectAlternateName: original.subjectAlternateName,
      searchText: "oftp.acme.example 192.0.2.7 o0177abcd",
      authenticationEmail: CONTACT.email,
    });
    expect(Buffer.from(renewal.csr)).toEqual(Buffer.from(csr.der));
    expect(renewal.keyIdentity).not.toBe(original.keyIdentity);
    expect(parseContact(renewal.authenticationContact).name).toBe(CONTACT.name);
    const order = (await ordersOf(renewer.user.id)).find(({ id }) => id === renewal.orderId);
    expect(order).toMatchObject({ priceCents: 58_000, discountCents: 0, netCents: 58_000, promotionCode: null });
    expect(await auditEventsOf(renewal.id)).toEqual(["order.created", "certificate.renewal-requested"]);
    expect((await readCertificate(original.id)).status).toBe("Issued");
    expect((await draftRow(renewer.draft))?.data).toBe(JSON.stringify({ renews: original.id }));
  });

  test("[MAI-01] says in the confirmation and the contact's request that it is a renewal, with the original's names", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await (await renewer.upToInvoice(newCsr().pem)).invoice();
    const { orderId } = await onlyRenewal(original.id);
    const [confirmation, authorisation, ...others] = await mailsOf(orderId);
    expect(others).toEqual([]);
    expect(confirmation?.subject).toBe(`Order SO-${orderId}: we have received your certificate renewal`);
    const received = await textOf(confirmation);
    expect(received).toMatch(
      new RegExp(`Renewal of certificate: +${original.id} \\(${original.commonName}\\), valid until \\d\\d/`),
    );
    expect(received).toContain("Your present certificate stays valid meanwhile.");
    const asked = readable(await textOf(authorisation));
    expect(asked).toContain("has ordered the renewal of a digital certificate");
    expect(asked).toMatch(/Organisation: +Acme GmbH/);
    expect(asked).toMatch(/Alternative names: +oftp\.acme\.example, 192\.0\.2\.7/);
  });

  test("[PUR-10] [REN-01] has no order-complete page of its own", async () => {
    const { renewer } = await newRenewer(makeCsr().der);
    const page = renewer.visitor.get("/home/certificate/renew/order-complete");
    expect((await run(renewal.complete.loader, page)).status).toBe(404);
  });

  test("[PUR-10] [REN-01] shows the renewal, 0 years and nothing to pay on the shared order-complete page", async () => {
    const { renewer } = await newRenewer(oldCsr());
    await renewer.upToInvoice(newCsr().pem, { validityPeriod: "0" });
    await renewer.invoice();
    const page = await completePage(renewer);
    expect(page).toMatchObject({
      wizard: "renew",
      validityPeriod: 0,
      discountCents: 0,
      netCents: 0,
      vatCents: 0,
      totalCents: 0,
      isNotified: true,
    });
    const [title] = meta({ data: page, matches: [] } as never) as { title: string }[];
    expect(title?.title).toMatch(/^Order complete - Renew Certificate - step 4 of 4/);
  });

  test("[REN-02] refuses 0 years when too little time is left, also when it passes on the way", async () => {
    const message =
      "It is not possible to select 0 years when the certificate being renewed will expire within the next 3 months.";
    const soon = await newRenewer(oldCsr(), {}, 80);
    await soon.renewer.contact();
    const csr = newCsr().pem;
    await soon.renewer.order({ csr, intent: "import" });
    for (const intent of ["next", "update"]) {
      const { errors } = await errorsOf(await soon.renewer.order({ csr, validityPeriod: "0", intent }));
      expect(errors).toEqual({ validityPeriod: message });
    }

    const { original, renewer } = await newRenewer(oldCsr(), {}, 100);
    await renewer.upToInvoice(newCsr().pem, { validityPeriod: "0" });
    const orderVersion = await renewer.orderVersion();
    await setCertificate(original.id, { expiryDate: new Date(Date.now() + 80 * 86_400_000) });
    const answer = await renewer.invoice({ orderVersion });
    expect(locationOf(answer)).toBe(renewer.url("contact-details")); // the order step is not complete any more
    expect(await renewalsOf(original.id)).toEqual([]);
  });
});

describe("[REN-01] [PUR-09] the amounts of a renewal", () => {
  test("[PUR-09] are never other than those that its page showed", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await renewer.upToInvoice(newCsr().pem);
    const { status, errors } = await errorsOf(await renewer.invoice({ shownAmounts: "58000 0" }));
    expect({ status, form: errors.form }).toMatchObject({
      status: 422,
      form: expect.stringContaining("The amounts have changed: ") as string,
    });
    expect(await renewalsOf(original.id)).toEqual([]);
    expect(locationOf(await renewer.invoice())).toBe(renewer.url("order-complete"));
  });
});

describe("[REN-01] [PUR-09] a renewal is ordered once only", () => {
  test("[PUR-09] when it is sent twice or five times at once: one order, shown in every answer", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await renewer.upToInvoice(newCsr().pem);
    const orderVersion = await renewer.orderVersion();
    const answers = await Promise.all(Array.from({ length: 5 }, () => renewer.invoice({ orderVersion })));
    answers.push(await renewer.invoice({ orderVersion }));
    expect(answers.map(locationOf)).toEqual(answers.map(() => renewer.url("order-complete")));
    const { orderId } = await onlyRenewal(original.id);
    expect(await mailsOf(orderId)).toHaveLength(2);
    expect(await completePage(renewer)).toMatchObject({ orderNumber: `SO-${orderId}` });
    for (const page of [await renewer.contactPage(), await renewer.orderPage(), await renewer.invoicePage()])
      expect(locationOf(page)).toBe(renewer.url("order-complete"));
  });

  test("[REN-01] when two renewals of one certificate are sent at once: one order and a clear refusal", async () => {
    const { user, original, renewer } = await newRenewer(oldCsr());
    const other = await startRenewing(user, original);
    const buyers = [await renewer.upToInvoice(newCsr().pem), await other.upToInvoice(newCsr().pem)];
    const answers = await Promise.all(buyers.map((buyer) => buyer.invoice()));
    const { orderId } = await onlyRenewal(original.id);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused && (await errorsOf(refused)).errors.form).toBe(
      `Order SO-${orderId} for its renewal is pending. Cancel that order to begin another one.`,
    );
    expect(await ordersOf(user.id)).toHaveLength(2); // the order of the original and that of one renewal
  });

  test("[REN-01] after it has waited for another transaction that decides about the original", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await renewer.upToInvoice(newCsr().pem);
    const orderVersion = await renewer.orderVersion();
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const deciding = inTransaction(async (trx) => {
      await lockCertificate(trx, original.id);
      locked();
      await untilOthersWait();
      await trx.updateTable("certificates").set({ status: "Revoked" }).where("id", "=", original.id).execute();
    });
    await isLocked;
    const answer = renewer.invoice({ orderVersion });
    await deciding;
    const response = await answer;
    const text = response.status === 422 ? (await errorsOf(response)).errors.form : locationOf(response);
    expect(["The certificate has been revoked.", paths.certificates]).toContain(text);
    expect(await renewalsOf(original.id)).toEqual([]);
  });

  test("[REN-01] because the database itself refuses a second pending renewal", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await (await renewer.upToInvoice(newCsr().pem)).invoice();
    const second = await newRenewer(oldCsr());
    await (await second.renewer.upToInvoice(newCsr().pem)).invoice();
    const { id } = await onlyRenewal(second.original.id);
    await expect(setCertificate(id, { previousCertificateId: original.id })).rejects.toThrow(/unique/i);
  });
});
