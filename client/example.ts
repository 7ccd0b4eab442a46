import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { content, file, logIn } from "./portal.js";

/** Logs in, has the CSR decoded, orders a certificate, waits until it is issued, and saves it. */
export async function buyCertificate(options: {
  address: string;
  account: { username: string; password: string };
  csrFile: string;
  certificateFile: string;
  contact: { name: string; position: string; email: string };
  everySeconds: number;
}): Promise<void> {
  const portal = await logIn(options.address, options.account);
  const csr = readFileSync(options.csrFile, "utf8");
  const decoded = await content(portal.POST("/api/certificates/DecodeCsrWithValidation", { body: { csr } }));
  if (!decoded.item1) throw new Error(decoded.item2);
  console.log(`For ${decoded.item1.commonName}, ${decoded.item1.organisation}`);

  const company = {
    company: "Example Parts GmbH",
    addressLine1: "Domkloster 4",
    city: "Köln",
    postalCode: "50667",
    countryId: 276,
    phoneNumber: "+49 221 123456",
  };
  const { orderId } = await content(
    portal.POST("/api/certificates/CompletePurchaseJourney", {
      params: { header: { "Idempotency-Key": randomUUID() } }, // a second request with the same key places no second order
      body: {
        authenticationContact: { ...company, ...options.contact },
        order: { csr, purchaseOrderNumber: "PO-88213", validityPeriod: 2, termsAndConditionsAccepted: true },
        invoiceAddress: { ...company, name: "Anna Müller", email: "invoices@example-parts.com", vat: "DE123456789" },
      },
    }),
  );

  const find = async () => {
    const certificates = await content(portal.GET("/api/certificates/getcertificates"));
    return certificates.find((certificate) => certificate.orderId === orderId);
  };
  let certificate = await find();
  for (; certificate?.certificateStatus === "Pending"; certificate = await find())
    await sleep(options.everySeconds * 1000);
  if (certificate?.certificateStatus !== "Issued") throw new Error("There will be no certificate.");

  const query = { certificateId: certificate.id, certificateType: "PEM", fileExtension: "PEM" } as const;
  const download = portal.GET("/api/Certificates/DownloadMyCertificate", { params: { query }, parseAs: "arrayBuffer" });
  writeFileSync(options.certificateFile, await file(download));
}
