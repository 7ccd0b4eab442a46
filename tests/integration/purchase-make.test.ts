import { describe, expect, test } from "vitest";
import { type Making } from "~/domain/certificates/purchase/make-csr.server";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { newBuyer, type Buyer } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

interface Page {
  values: Record<string, string>;
  details: { commonName: string } | null;
  making: Making;
}

const HOST = "oftp.acme.example";

async function buyerAtOrder(): Promise<Buyer> {
  const buyer = await newBuyer();
  await buyer.contact();
  return buyer;
}

const pageOf = async (buyer: Buyer) => jsonOf<Page>(await buyer.orderPage());

describe("[PUR-03] key and CSR in the order step", () => {
  test("[PUR-03] commands are made of the account's details and the typed ones, which stay when another way is chosen", async () => {
    const buyer = await buyerAtOrder();
    const first = await pageOf(buyer);
    expect(first.values).toMatchObject({ csrWay: "make", host: "" });
    expect(first.making.commands).toBeNull();

    const make = { csrWay: "make", host: "not a name!" };
    const refused = await errorsOf(await buyer.order({ ...make, intent: "commands" }));
    expect([refused.status, Object.keys(refused.errors)]).toEqual([422, ["host"]]);

    const answer = await buyer.order({ ...make, host: HOST, intent: "commands" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${buyer.url("order")}#csr-commands`);
    const { commands, known } = (await pageOf(buyer)).making;
    expect(known.organisation).toBe(buyer.user.company);
    for (const part of [`/O=${known.organisation}`, `/C=${known.country}`, `/CN=${HOST}`, `DNS:${HOST}`])
      expect(commands?.[0]?.[1]).toContain(part);
    expect(commands?.[1]?.[1]).toContain(`CN=${HOST}`);

    await buyer.order({ ...make, host: HOST, csrWay: "paste", csr: makeCsr().pem, intent: "import" });
    const imported = await pageOf(buyer);
    expect(imported.values).toMatchObject({ csrWay: "paste", host: HOST });
    expect(imported.details).not.toBeNull();
  });

  test("[PUR-03] the chosen way decides whether a chosen file is read", async () => {
    const buyer = await buyerAtOrder();
    const csrFile = new File([makeCsr({ subject: "/C=DE/O=Other/CN=file.acme.example" }).pem], "request.csr");
    const { pem } = makeCsr({ subject: `/C=DE/O=Acme/CN=${HOST}` });
    for (const [csrWay, commonName] of [
      ["paste", HOST],
      ["make", HOST],
      ["file", "file.acme.example"],
    ] as const) {
      await buyer.order({ csrWay, csr: pem, csrFile, intent: "import" });
      expect((await pageOf(buyer)).details?.commonName).toBe(commonName);
    }
  });
});
