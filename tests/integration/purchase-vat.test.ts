import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { setVariable } from "../support/variables";
import { errorsOf } from "../support/visitor";
import { buyerAtInvoice, CH, DE, GB, invoicePage, newBuyer, onlyOrder, ordersOf } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });
const atInvoice = (fields = {}, given = {}) => buyerAtInvoice(request.pem, fields, given);

describe("[PUR-09] VAT by country", () => {
  test.each([
    ["GB at the configured rate", { country: GB, vat: "gb 123 456 789" }, 0.2, 11_600, "GB123456789", false],
    ["the EU by reverse charge", { country: DE, vat: "DE123456789" }, 0, 0, "DE123456789", false],
    ["elsewhere none, and a hidden VAT number is ignored", { country: CH, vat: "nonsense" }, 0, 0, null, null],
  ])("[PUR-09] %s", async (_, fields, vatRate, vatCents, vatNumber, vatNumberChecked) => {
    const buyer = await atInvoice();
    expect((await buyer.invoice(fields)).status).toBe(303);
    expect(await onlyOrder(buyer)).toMatchObject({
      priceCents: 58_000,
      netCents: 58_000,
      vatRate,
      vatCents,
      totalCents: 58_000 + vatCents,
      vatNumber,
      vatNumberChecked,
    });
  });

  test("[PUR-09] no order is placed at amounts that its page did not show", async () => {
    const buyer = await atInvoice();
    for (const shownAmounts of ["58000 0", "57999 11600", "58000 11601", " 58000 11600", ""]) {
      const { status, errors } = await errorsOf(await buyer.invoice({ shownAmounts }));
      expect(status).toBe(422);
      expect(errors.form).toBe(
        "The amounts have changed: net amount €580.00, VAT €116.00, total €696.00. Please check them and complete the order again.",
      );
    }
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    expect((await buyer.invoice({ shownAmounts: "58000 11600" })).status).toBe(303);
  });

  test("[PUR-09] VAT is rounded half up once", async () => {
    await getDb()
      .insertInto("promotionCodes")
      .values({ code: "ROUNDING1", valueCents: 28_988, months: 12, createdAt: new Date() })
      .execute();
    const buyer = await atInvoice({ promoCode: "ROUNDING1", validityPeriod: "1" });
    await buyer.invoice();
    expect(await onlyOrder(buyer)).toMatchObject({ netCents: 12, vatCents: 2, totalCents: 14 });
  });
});

describe("[PUR-09] the VAT service", () => {
  /** Runs `work` with a VAT service that answers every request with `body`, after `meanwhile`. */
  async function withService(body: object, work: () => Promise<void>, meanwhile = async () => {}) {
    const server: Server = createServer((_, response) => {
      response.setHeader("Content-Type", "application/json");
      void meanwhile().then(() => response.end(JSON.stringify(body)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    setVariable("VAT_SERVICE_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      await work();
    } finally {
      setVariable("VAT_SERVICE_URL", "");
      server.close();
    }
  }
  const german = { country: DE, vat: "DE123456789" };

  test("[PUR-09] stops the order for an invalid number", async () => {
    const buyer = await atInvoice();
    await withService({ valid: false }, async () => {
      const { status, errors, values } = await errorsOf(await buyer.invoice(german));
      expect(status).toBe(422);
      expect(errors).toEqual({ vat: "The specified VAT number is not valid." });
      expect(values).toMatchObject(german);
    });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });

  test("[PUR-09] shows an order that was changed in another window during the check again", async () => {
    const buyer = await atInvoice();
    const change = async () => void (await buyer.order({ csr: request.pem, validityPeriod: "4", intent: "update" }));
    await withService(
      { valid: true },
      async () => {
        const { status, errors } = await errorsOf(await buyer.invoice(german));
        expect(status).toBe(422);
        expect(errors.form).toContain("This order was changed in another window.");
      },
      change,
    );
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
    expect((await invoicePage(buyer)).price.netCents).toBe(116_000);
  });

  test("[PUR-09] shows an order that another window changed since it was shown again", async () => {
    const { pem } = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(pem);
    const orderVersion = await buyer.orderVersion();
    await buyer.order({ csr: pem, validityPeriod: "4" });
    const { errors } = await errorsOf(await buyer.invoice({ orderVersion }));
    expect(errors.form).toBe("This order was changed in another window. Please check it and complete it again.");
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    expect((await buyer.invoice()).headers.get("Location")).toBe(buyer.url("order-complete"));
  });

  test("[PUR-09] caches a valid number; an error of the service lets the order continue, unchecked", async () => {
    const checked = await atInvoice();
    await withService({ valid: true }, async () => void (await checked.invoice(german)));
    expect((await onlyOrder(checked)).vatNumberChecked).toBe(true);
    const unchecked = await atInvoice();
    const failure = { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] };
    await withService(failure, async () => void (await unchecked.invoice(german)));
    expect((await onlyOrder(unchecked)).vatNumberChecked).toBe(false);
  });
});
