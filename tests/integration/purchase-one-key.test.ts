import { describe, expect, test } from "vitest";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { certificateOf, newBuyer, onlyOrder, ordersOf } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

describe("[PUR-11] one key, one subject", () => {
  const REFUSED = "This key cannot be used; create a new one.";

  test("[PUR-11] two customers who order with one key and two subjects at once get one order", async () => {
    const { keyFile, pem } = makeCsr();
    const other = makeCsr({ keyFile, subject: "/C=DE/O=Somebody Else AG/CN=oftp.else.example" });
    const buyers = [await (await newBuyer()).upToInvoice(pem), await (await newBuyer()).upToInvoice(other.pem)];
    const answers = await Promise.all(buyers.map((buyer) => buyer.invoice()));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused && (await errorsOf(refused)).errors.form).toContain(REFUSED);
    const orders = await Promise.all(buyers.map((buyer) => ordersOf(buyer.user.id)));
    expect(orders.flat()).toHaveLength(1);
  });

  test("[PUR-11] blanks and case make no different subject; the names are shown and stored as they are issued", async () => {
    const { keyFile, pem } = makeCsr({
      subject: "/C=DE/O=  Acme  Parts  /OU= /CN= oftp.acme.example /serialNumber=O0177ABCD ",
    });
    const buyer = await newBuyer();
    await buyer.upToInvoice(pem);
    const { details } = await jsonOf<{ details: object }>(await buyer.orderPage());
    expect(details).toMatchObject({ organisation: "Acme  Parts", organisationUnit: "", serialNumber: "O0177ABCD" });
    expect((await buyer.invoice()).status).toBe(303);
    const stored = await certificateOf((await onlyOrder(buyer)).id);
    expect(stored).toMatchObject({
      organisation: "Acme  Parts",
      commonName: "oftp.acme.example",
      organisationUnit: null,
    });
    const again = makeCsr({ keyFile, subject: "/C=DE/O=ACME parts/CN=OFTP.acme.example" });
    await (await newBuyer()).upToInvoice(again.pem);
  });

  test("[PUR-11] an order waits for another transaction that decides about its key", async () => {
    const { keyFile, pem } = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(pem);
    const other = makeCsr({ keyFile, subject: "/C=DE/O=Somebody Else AG/CN=oftp.else.example" });
    const { id, keyIdentity } = await createCertificateOrder(await createUser(), other.der, { status: "Rejected" });
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const ordering = inTransaction(async (trx) => {
      await lockKey(trx, keyIdentity);
      await trx.updateTable("certificates").set({ status: "Pending" }).where("id", "=", id).execute();
      locked();
      await untilOthersWait();
    });
    await isLocked;
    const { status, errors } = await errorsOf(await buyer.invoice());
    await ordering;
    expect(status).toBe(422);
    expect(errors.form).toContain(REFUSED);
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });
});
