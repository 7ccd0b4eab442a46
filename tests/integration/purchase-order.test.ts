import { describe, expect, test } from "vitest";
import { orderMessages } from "~/domain/certificates/purchase/order-form.schema";
import { csrMessages } from "~/domain/certificates/request/csr-text";
import { messages } from "~/lib/messages";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { newBuyer, type Buyer } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const plain = makeCsr();
const withSsid = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=oftp.acme.example/serialNumber=O0177ACME01" });

interface Page {
  values: Record<string, string>;
  details: { commonName: string; ssid: string | null } | null;
  perYearCents: number;
  promotion: unknown;
}

async function buyerAtOrder(csr?: string): Promise<Buyer> {
  const buyer = await newBuyer();
  await buyer.contact();
  if (csr) await buyer.order({ csr, intent: "import" });
  return buyer;
}

const pageOf = async (buyer: Buyer) => jsonOf<Page>(await buyer.orderPage());
const errors = async (response: Response) => (await errorsOf(response)).errors;

describe("[PUR-08] purchase order number and terms", () => {
  test("[PUR-08] are both required on Next, each with its message", async () => {
    const buyer = await buyerAtOrder(plain.pem);
    const answer = await errorsOf(
      await buyer.order({ csr: plain.pem, purchaseOrderNumber: "   ", termsAndConditionsAccepted: undefined }),
    );
    expect(answer.status).toBe(422);
    expect(answer.errors).toEqual({
      purchaseOrderNumber: messages.required,
      termsAndConditionsAccepted: "You must agree to the terms and conditions to purchase a certificate.",
    });
  });

  test("[PUR-08] allow a purchase order number of at most 50 characters", async () => {
    const buyer = await buyerAtOrder(plain.pem);
    const tooLong = await buyer.order({ csr: plain.pem, purchaseOrderNumber: "x".repeat(51) });
    expect(await errors(tooLong)).toEqual({ purchaseOrderNumber: messages.outOfRange });
    const next = await buyer.order({ csr: plain.pem, purchaseOrderNumber: "x".repeat(50) });
    expect(next.headers.get("Location")).toBe(buyer.url("invoice-address"));
  });
});

describe("[PUR-06] validity and price", () => {
  test("[PUR-06] the server gives the price, and the validity period is 1 year by default", async () => {
    const page = await pageOf(await buyerAtOrder());
    expect(page.perYearCents).toBe(29_000);
    expect(page.values.validityPeriod).toBe("1");
  });

  test.each(["0", "5", "1.5", "x"])("[PUR-06] %s years are refused", async (validityPeriod) => {
    const buyer = await buyerAtOrder(plain.pem);
    const answer = await errors(await buyer.order({ csr: plain.pem, validityPeriod }));
    expect(answer).toEqual({ validityPeriod: messages.collection });
  });

  test("[PUR-06] the validity period is required", async () => {
    const buyer = await buyerAtOrder(plain.pem);
    const answer = await errors(await buyer.order({ csr: plain.pem, validityPeriod: undefined }));
    expect(answer).toEqual({ validityPeriod: messages.required });
  });

  test("[PUR-06] Update total keeps the typed values and shows no messages", async () => {
    const buyer = await buyerAtOrder();
    const response = await buyer.order({ intent: "update", validityPeriod: "4", purchaseOrderNumber: "" });
    expect(response.headers.get("Location")).toBe(buyer.url("order"));
    expect((await pageOf(buyer)).values).toMatchObject({ validityPeriod: "4", purchaseOrderNumber: "" });
  });
});

describe("[PUR-05] usage attributes", () => {
  const none = {
    hasSecureSession: undefined,
    hasEmail: undefined,
    hasEncryption: undefined,
    hasFileSigning: undefined,
  };

  test("[PUR-05] are all four chosen by default", async () => {
    expect((await pageOf(await buyerAtOrder())).values).toMatchObject({
      hasSecureSession: "on",
      hasEmail: "on",
      hasEncryption: "on",
      hasFileSigning: "on",
    });
  });

  test("[PUR-05] need at least one while the block is shown", async () => {
    const buyer = await buyerAtOrder(plain.pem);
    const answer = await buyer.order({ csr: plain.pem, showUsageAttributes: "on", ...none });
    expect(await errors(answer)).toEqual({ usage: "Please select at least one certificate usage attribute" });
    expect(orderMessages.usage).toBe("Please select at least one certificate usage attribute");
    expect((await pageOf(buyer)).values.hasEmail).toBeUndefined();
  });

  test("[PUR-05] have their defaults while the block is hidden, whatever is sent", async () => {
    const buyer = await buyerAtOrder(plain.pem);
    expect((await buyer.order({ csr: plain.pem, ...none })).status).toBe(303);
    expect((await pageOf(buyer)).values.hasEmail).toBe("on");
  });
});

describe("[PUR-04] the OFTP ID", () => {
  test.each(["O0177ABC", `O0177${"A".repeat(21)}`])(
    "[PUR-04] %s is refused without 9 to 25 characters",
    async (oftpid) => {
      const buyer = await buyerAtOrder(plain.pem);
      const answer = await errors(await buyer.order({ csr: plain.pem, oftpid }));
      expect(answer).toEqual({ oftpid: "Valid OFTP ID should be between 9 and 25 characters." });
    },
  );

  test.each(["X01774567", "O017ABCDE", "O0177_ABCD", "O0177ÄBCD"])(
    "[PUR-04] %s is refused by the grammar",
    async (oftpid) => {
      const buyer = await buyerAtOrder(plain.pem);
      expect(await errors(await buyer.order({ csr: plain.pem, oftpid }))).toEqual({ oftpid: messages.pattern });
    },
  );

  test.each(["O0177ABCD", `O0177${"A".repeat(20)}`, "o0177 ab-cd 01", ""])(
    "[PUR-04] '%s' is accepted",
    async (oftpid) => {
      const buyer = await buyerAtOrder(plain.pem);
      expect((await buyer.order({ csr: plain.pem, oftpid })).status).toBe(303);
    },
  );

  test("[PUR-04] is not asked for when the CSR has one", async () => {
    expect((await pageOf(await buyerAtOrder(plain.pem))).details?.ssid).toBeNull();
    expect((await pageOf(await buyerAtOrder(withSsid.pem))).details?.ssid).toBe("O0177ACME01");
  });
});

test("[PUR-03] all problems are shown at once", async () => {
  const buyer = await buyerAtOrder();
  const answer = await errors(
    await buyer.order({
      csr: "",
      showUsageAttributes: "on",
      hasSecureSession: undefined,
      hasEmail: undefined,
      hasEncryption: undefined,
      hasFileSigning: undefined,
      oftpid: "short",
      validityPeriod: "9",
      purchaseOrderNumber: "",
      promoCode: "123",
      termsAndConditionsAccepted: undefined,
    }),
  );
  expect(Object.keys(answer).sort()).toEqual(
    [
      "csr",
      "oftpid",
      "promoCode",
      "purchaseOrderNumber",
      "termsAndConditionsAccepted",
      "usage",
      "validityPeriod",
    ].sort(),
  );
  expect(answer.csr).toBe(csrMessages.importFirst);
});

test("[PUR-06] Enter, which sends no button, means Next, and so does an unknown button", async () => {
  const buyer = await buyerAtOrder(plain.pem);
  for (const intent of [undefined, "next", "complete"])
    expect((await buyer.order({ csr: plain.pem, intent })).headers.get("Location")).toBe(buyer.url("invoice-address"));
});
