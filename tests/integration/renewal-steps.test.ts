import { describe, expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { cancelOrder } from "~/domain/certificates/queue/decisions.service.server";
import { addDays } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { action as detailsAction } from "~/routes/home.certificate-details.$id/route";
import { loader as listLoader } from "~/routes/home.certificates";
import { getDb } from "~db/connection.server";
import { createCertificateOrder, readCertificate, setCertificate, storeRevocation } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run, signedInAs } from "../support/visitor";
import { renewal } from "../support/wizard-routes";
import { Buyer, CONTACT, draftRow, newBuyer, ordersOf } from "./purchase-journey";
import { issueEnding, newRenewer, pressRenew, startRenewing } from "./renewal-journey";

const { loader: startLoader } = renewal.start;

usePortal();
const { makeCsr } = useOpenssl();
/** Returns the CSR of a certificate that will be renewed. It has a new key each time, because a key belongs to one account. */
const oldCsr = () => makeCsr().der;
const fresh = makeCsr();

const locationOf = (response: Response) => response.headers.get("Location");
const STEPS = ["contact-details", "order", "invoice-address"] as const;
const read = {
  "contact-details": (buyer: Buyer) => buyer.contactPage(),
  order: (buyer: Buyer) => buyer.orderPage(),
  "invoice-address": (buyer: Buyer) => buyer.invoicePage(),
};
const write = {
  "contact-details": (buyer: Buyer) => buyer.contact(),
  order: (buyer: Buyer) => buyer.order({ csr: fresh.pem }),
  "invoice-address": (buyer: Buyer) => buyer.invoice({ orderVersion: "x" }),
};

describe("[REN-01] Renew begins", () => {
  test("[REN-01] on the list with its own draft and the contact of the previous order", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    expect(await draftRow(renewer.draft)).toMatchObject({
      userId: renewer.user.id,
      kind: "certificate-renewal",
      data: JSON.stringify({ renews: original.id }),
    });
    const page = await jsonOf<{ values: object; renewal: object }>(await renewer.contactPage());
    expect(page).toMatchObject({
      values: {
        name: "Bernd Boss",
        company: "Example Parts Ltd",
        position: "Manager",
        email: "bernd.boss@example-parts.com",
        addressLine1: "1 Mill Lane",
        city: "Coventry",
        postalCode: "CV1 1AA",
        country: "826",
        phoneNumber: "+44 20 7946 0001",
      },
      renewal: { certificateId: original.id, commonName: "oftp.acme.example" },
    });
  });

  test("[REN-01] on the details page", async () => {
    const { user, original } = await newRenewer(oldCsr());
    const visitor = await signedInAs(user);
    const post = await visitor.post(paths.certificateDetails(original.id), { intent: "renew" });
    const response = await run(detailsAction, post, { id: String(original.id) });
    expect(locationOf(response)).toMatch(/^\/home\/certificate\/renew\/contact-details\?draft=/);
    expect((await readCertificate(original.id)).status).toBe("Issued");
  });

  test("[REN-01] with an immediate message about a contact who may no longer authorise", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    const contact = { ...CONTACT, countryId: 826, email: renewer.user.email, name: "x".repeat(121) };
    await setCertificate(original.id, { authenticationContact: JSON.stringify(contact) });
    const { problems } = await jsonOf<{ problems: object }>(await renewer.contactPage());
    expect(Object.keys(problems)).toEqual(["name", "email"]);
  });

  test.each([
    ["opens later", 181, {}, /^Renewal opens \d\d\/\d\d\/\d{4}$/],
    ["is revoked", 100, { status: "Revoked" as const }, "The certificate has been revoked."],
    ["is about to be revoked", 100, { status: "RequestRevoke" as const }, "The certificate is about to be revoked."],
    ["was renewed", 100, { status: "Renewed" as const }, "The certificate has been renewed already."],
    ["expired long ago", -91, { status: "Expired" as const }, /^Renewal closed/],
  ])(
    "[REN-01] [CER-09] only in its time, not when the certificate %s: the list and the details say why",
    async (_, days, change, reason) => {
      const user = await createUser();
      const { id } = await issueEnding(100, { customer: user, csr: oldCsr() });
      await setCertificate(id, { ...change, expiryDate: addDays(new Date(), days) });
      const visitor = await signedInAs(user);
      const { status, errors } = await errorsOf(await pressRenew(visitor, id));
      expect(status).toBe(422);
      expect(errors.id).toMatch(reason);
      const { rows } = await jsonOf<{ rows: { barriers: { renew?: string } }[] }>(
        await run(listLoader, visitor.get(paths.certificates)),
      );
      expect(rows[0]?.barriers.renew).toBe(errors.id);
      const post = await visitor.post(paths.certificateDetails(id), { intent: "renew" });
      expect(locationOf(await run(detailsAction, post, { id: String(id) }))).toBe(paths.certificateDetails(id));
      expect(await getDb().selectFrom("drafts").select("id").where("userId", "=", user.id).execute()).toEqual([]);
    },
  );

  test("[REN-01] for no pending order and no invalid id", async () => {
    const user = await createUser();
    const { id } = await createCertificateOrder(user, oldCsr());
    const visitor = await signedInAs(user);
    expect((await errorsOf(await pressRenew(visitor, id))).errors.id).toMatch(/^The order is still pending/);
    expect((await errorsOf(await pressRenew(visitor, 2_000_000_000))).errors.id).toBe("The certificate was not found.");
    expect((await errorsOf(await pressRenew(visitor, -1))).status).toBe(422);
  });

  test("[REN-01] [CER-08] for no certificate of somebody else: an applicant finds nothing, an administrator cannot order for its owner", async () => {
    const { original } = await newRenewer(oldCsr());
    const stranger = await signedInAs(await createUser());
    expect((await errorsOf(await pressRenew(stranger, original.id))).errors.id).toBe("The certificate was not found.");
    const admin = await signedInAs(await createUser({ isAdmin: true }));
    const { errors } = await errorsOf(await pressRenew(admin, original.id));
    expect(errors.id).toBe("Only its owner can renew a certificate.");
    const staff = await signedInAs(await createAdmin());
    expect((await errorsOf(await pressRenew(staff, original.id))).errors.id).toMatch(/^Only /);
  });

  test("[REN-01] for an expired certificate until the window closes", async () => {
    const user = await createUser();
    const original = await issueEnding(-89, { customer: user, csr: oldCsr() });
    await setCertificate(original.id, { status: "Expired" });
    const renewer = await startRenewing(user, original);
    expect((await renewer.contactPage()).status).toBe(200);
  });
});

describe("[REN-01] the state of a renewal", () => {
  test("[REN-01] is missing without a step: the wizard redirects to the certificates", async () => {
    const { renewer } = await newRenewer(oldCsr());
    const response = await run(startLoader, renewer.visitor.get("/home/certificate/renew"));
    expect(locationOf(response)).toBe(paths.certificates);
  });

  test.each(STEPS)(
    "[REN-01] is missing at %s without a draft, an unknown one, no id, somebody else's, or one of a purchase: redirect to the certificates",
    async (step) => {
      const { user, renewer } = await newRenewer(oldCsr());
      const other = await newRenewer(oldCsr());
      const purchase = await newBuyer();
      const bought = new Buyer(purchase.user, purchase.visitor, purchase.draft, "renew");
      const tampered = ["", "x".repeat(22), `${renewer.draft}x`, "../../etc", other.renewer.draft];
      const buyers = tampered.map((draft) => new Buyer(user, renewer.visitor, draft, "renew"));
      for (const buyer of [...buyers, bought]) {
        expect(locationOf(await read[step](buyer))).toBe(paths.certificates);
        expect(locationOf(await write[step](buyer))).toBe(paths.certificates);
      }
      expect((await draftRow(other.renewer.draft))?.data).toBe(JSON.stringify({ renews: other.original.id }));
      expect((await draftRow(purchase.draft))?.data).toBe("{}");
    },
  );

  test.each(STEPS)("[PUR-01] [REN-01] is not used by a purchase at %s", async (step) => {
    const { user, original, renewer } = await newRenewer(oldCsr());
    const buyer = new Buyer(user, renewer.visitor, renewer.draft);
    for (const answer of [await read[step](buyer), await write[step](buyer)]) {
      expect(locationOf(answer)).toMatch(/^\/home\/certificate\/purchase\/contact-details(\?draft=|$)/);
      expect(locationOf(answer)).not.toContain(renewer.draft);
    }
    expect((await draftRow(renewer.draft))?.data).toBe(JSON.stringify({ renews: original.id }));
  });

  test("[REN-01] is incomplete at a later step, which redirects to the first one", async () => {
    const { renewer } = await newRenewer(oldCsr());
    expect(locationOf(await renewer.orderPage())).toBe(renewer.url("contact-details"));
    await renewer.contact();
    expect(locationOf(await renewer.invoicePage())).toBe(renewer.url("contact-details"));
  });

  test("[REN-01] is invalid when its certificate is missing or was tampered with in the database", async () => {
    const { renewer } = await newRenewer(oldCsr());
    const other = await newRenewer(oldCsr());
    const set = (data: string) => getDb().updateTable("drafts").set({ data }).where("id", "=", renewer.draft).execute();
    for (const data of ["{}", '{"renews":"x"}', '{"renews":999999999}', `{"renews":${other.original.id}}`]) {
      await set(data);
      expect(locationOf(await renewer.contactPage())).toBe(paths.certificates);
    }
  });

  test("[REN-01] ends when the certificate is revoked on the way: redirect to the list with the reason", async () => {
    const { original, renewer } = await newRenewer(oldCsr());
    await renewer.upToInvoice(fresh.pem);
    await storeRevocation(original);
    for (const step of STEPS) {
      const answer = await read[step](renewer);
      expect(locationOf(answer)).toBe(paths.certificates);
      renewer.visitor.follow(answer);
    }
    expect(locationOf(await renewer.invoice({ orderVersion: "x" }))).toBe(paths.certificates);
    expect(await ordersOf(renewer.user.id)).toHaveLength(1); // the order of the original
  });

  test("[REN-01] is kept apart for two windows, and can be resumed for its own certificate only", async () => {
    const { user, original, renewer } = await newRenewer(oldCsr());
    await renewer.contact({ name: "First Contact" });
    const second = await startRenewing(user, original);
    const { commonName, organisation } = original;
    const what = `Renewal of certificate ${original.id} for ${commonName} (${organisation}), to be authorised by First Contact`;
    const page = await jsonOf<{ resumable: unknown[]; values: { name: string } }>(await second.contactPage());
    expect(page).toMatchObject({ resumable: [{ id: renewer.draft, what }], values: { name: "Bernd Boss" } });
    const other = await startRenewing(user, await issueEnding(100, { customer: user, csr: oldCsr() }));
    expect((await jsonOf<{ resumable: unknown }>(await other.contactPage())).resumable).toEqual([]);
  });

  test("[REN-01] can be started again after the pending renewal is cancelled", async () => {
    const { user, original, renewer } = await newRenewer(oldCsr());
    await (await renewer.upToInvoice(fresh.pem)).invoice();
    const { errors } = await errorsOf(await pressRenew(renewer.visitor, original.id));
    const orders = await ordersOf(user.id);
    expect(errors.id).toBe(
      `Order SO-${orders[1]?.id} for its renewal is pending. Cancel that order to begin another one.`,
    );
    const pending = await getDb()
      .selectFrom("certificates")
      .select("id")
      .where("previousCertificateId", "=", original.id)
      .executeTakeFirstOrThrow();
    const sessionUser = await findSessionUser({ id: user.id, epoch: 0 });
    if (!sessionUser) throw new Error("no user");
    await cancelOrder(pending.id, "", sessionUser);
    const again = await startRenewing(user, original);
    await again.upToInvoice(fresh.pem); // the key of a cancelled order is free again
    expect(locationOf(await again.invoice())).toBe(again.url("order-complete"));
  });
});
