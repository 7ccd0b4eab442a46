import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { apiClientOf } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { checksDone, setCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();

interface Listed {
  id: number;
  orderId: number;
  certificateStatus: string;
}

test("[API-03] [API-04] a program logs in, decodes, asks the price, orders, waits, downloads and revokes", async () => {
  const user = await createUser();
  const { pem } = makeCsr({ san: ["DNS:oftp.acme.example"] });
  const program = await apiClientOf(user.email, TEST_PASSWORD);
  const decoded = await program.post<{ item1: object; item2: string }>("certificates/DecodeCsrWithValidation", {
    csr: pem,
    checkUniqueness: false,
  });
  expect(decoded.content).toMatchObject({ item1: { commonName: "oftp.acme.example" }, item2: "" });
  const price = (await program.get<number>("certificates/GetCertificatePrice")).content;

  const { content: order } = await complete(program, orderBody(pem), "the program's own number 1".replaceAll(" ", "-"));
  expect(order.isNotified).toBe(true);
  const stateOf = async () => {
    const { content } = await program.get<Listed[]>("certificates/getcertificates");
    return content.find(({ orderId }) => orderId === order.orderId) as Listed;
  };
  const { id, certificateStatus } = await stateOf();
  expect(certificateStatus).toBe("Pending");

  const staff = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!staff) throw new Error("no staff");
  await setCertificate(id, checksDone());
  await approveOrder(id, staff);
  expect((await stateOf()).certificateStatus).toBe("Issued");

  const query = `certificateId=${id}&certificateType=PEM&fileExtension=PEM`;
  const file = await program.send(`Certificates/DownloadMyCertificate?${query}`);
  const certificate = new X509Certificate(await file.text());
  expect(certificate.subject).toContain("CN=oftp.acme.example");
  expect((await stateOf()).certificateStatus).toBe("Downloaded");

  const payment = await program.get("certificates/GetPaymentDetails", { orderId: order.orderId });
  expect(payment.content).toMatchObject({ item1: false });
  const invoice = await program.send(`invoices/DownloadCertificateInvoice?certificateOrderId=${order.orderId}`);
  expect(invoice.headers.get("Content-Type")).toBe("application/pdf");
  expect(price).toBe(290);

  const revoked = await program.post("certificates/revoke", { certificateId: id, reasonTypeId: 3 });
  expect(revoked.content).toMatchObject({ succeeded: true, certificateStatus: "Revoked" });
  expect((await stateOf()).certificateStatus).toBe("Revoked");
  expect((await program.send(`Certificates/DownloadMyCertificate?${query}`)).status).toBe(422);
});
