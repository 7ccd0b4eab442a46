import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { findIssuer, findRoot } from "~/domain/authorities/authorities.service.server";
import { issueCreditNote } from "~/domain/orders/invoices/invoices.service.server";
import { getDb } from "~db/connection.server";
import { ApiClient, apiClientOf } from "../support/api";
import {
  createCertificateOrder,
  issueCertificate,
  type IssuedCertificate,
  readCertificate,
} from "../support/certificates";
import { createColleague } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();

let own: ApiClient;
let stranger: ApiClient;
let staff: ApiClient;
let customer: Awaited<ReturnType<typeof createUser>>;
let issued: IssuedCertificate;
beforeAll(async () => {
  customer = await createUser();
  own = await apiClientOf(customer.email, TEST_PASSWORD);
  stranger = await apiClientOf((await createUser()).email, TEST_PASSWORD);
  staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
  issued = await issueCertificate({ customer, csr: makeCsr().der });
});

const MINE = "Certificates/DownloadMyCertificate";
const ISSUING = "Certificates/DownloadCaIssuingCertificate";
const ROOT = "Certificates/DownloadCaRootCertificate";
const INVOICE = "invoices/DownloadCertificateInvoice";

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const certificateIn = async (answer: Response) => new X509Certificate(await bytesOf(answer));
const refusalOf = async (answer: Response) => ({
  status: answer.status,
  ...((await answer.json()) as { errors?: Record<string, string>; responseText: string; success: boolean }),
});
const mine = (query = "", by = own) => by.send(`${MINE}?certificateId=${issued.id}${query}`);

describe("[API-04] DownloadMyCertificate", () => {
  test.each([
    ["", "application/x-pem-file", "cer"],
    ["&certificateType=PEM&fileExtension=PEM", "application/x-pem-file", "pem"],
    ["&certificateType=der&fileExtension=cer", "application/pkix-cert", "cer"],
    ["&certificateType=DER&fileExtension=DER", "application/pkix-cert", "der"],
    ["&certificateType=%20&fileExtension=", "application/x-pem-file", "cer"],
  ])("[API-04] returns %s as %s with the extension .%s", async (query, mediaType, extension) => {
    const answer = await mine(query, staff);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe(mediaType);
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="oftp.acme.example-${issued.id}.${extension}"`,
    );
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect((await certificateIn(answer)).raw).toEqual(issued.der);
  });

  test.each([
    ["&certificateType=PEM&fileExtension=DER", "fileExtension", "does not match the encoding PEM"],
    ["&certificateType=DER&fileExtension=PEM", "fileExtension", "does not match the encoding DER"],
    ["&certificateType=own", "certificateType", "not part of the collection"],
    ["&fileExtension=p7b", "fileExtension", "not part of the collection"],
  ])("[API-04] refuses %s at %s", async (query, field, message) => {
    const refusal = await refusalOf(await mine(query));
    expect(refusal).toMatchObject({ status: 422, success: false });
    expect(refusal.errors?.[field]).toContain(message);
  });

  test("[API-04] accepts the token as access_token and a ticket once; records the owner's first download but not a HEAD", async () => {
    expect((await readCertificate(issued.id)).status).toBe("Issued");
    expect((await own.send(`${MINE}?certificateId=${issued.id}`, { method: "HEAD" })).status).toBe(200);
    expect((await readCertificate(issued.id)).status).toBe("Issued");

    const open = async (token: string) => (await mine(`&access_token=${token}`, new ApiClient())).status;
    const { ticket } = (await own.post<{ ticket: string }>("token/ticket")).content;
    const headers = await new ApiClient().send(`${MINE}?certificateId=${issued.id}&access_token=${ticket}`, {
      method: "HEAD",
    });
    expect([headers.status, (await readCertificate(issued.id)).status]).toEqual([200, "Issued"]);
    expect(await open(`${ticket}&access_token=${ticket}`)).toBe(400);
    expect(await open(ticket)).toBe(200);
    expect((await readCertificate(issued.id)).status).toBe("Downloaded");
    expect(await open(ticket)).toBe(401);
    expect(await open(own.token)).toBe(200);
    expect(await open("nonsense")).toBe(401);
  });

  test("[API-04] refuses a pending order", async () => {
    const pending = await createCertificateOrder(customer, makeCsr().der);
    const refusal = await refusalOf(await own.send(`${MINE}?certificateId=${pending.id}`));
    expect(refusal).toMatchObject({ status: 422, responseText: expect.stringContaining("still pending") as string });
  });

  test("[API-04] refuses a reader's role as every call does, for the certificate and its issuer's", async () => {
    const reader = await apiClientOf((await createColleague(customer, "reader")).email, TEST_PASSWORD);
    for (const path of [MINE, ISSUING])
      expect(await refusalOf(await reader.send(`${path}?certificateId=${issued.id}`))).toMatchObject({
        status: 403,
        errorCode: "company.role",
        responseText: "You need the role Owner, Purchaser or Technical in your company for this.",
      });
  });

  test("[API-06] answers others and requests without an id with not found", async () => {
    expect(await refusalOf(await mine("", stranger))).toMatchObject({ status: 404, success: false });
    expect((await stranger.send(`${ISSUING}?certificateId=${issued.id}`)).status).toBe(404);
    expect((await refusalOf(await own.send(MINE))).errors?.certificateId).toBe("This field is required.");
  });
});

describe("[API-04] the CA's certificates", () => {
  test("[API-04] are returned: the issuer of a certificate and its root", async () => {
    const issuing = await certificateIn(await own.send(`${ISSUING}?certificateId=${issued.id}&certificateType=DER`));
    expect(issuing.raw).toEqual(Buffer.from((await findIssuer(getDb(), "sha2"))?.certificate ?? []));
    expect(new X509Certificate(issued.der).checkIssued(issuing)).toBe(true);
    const answer = await own.send(`${ROOT}?type=DER&extension=DER`);
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="ca-root.der"');
    const root = await certificateIn(answer);
    expect(root.raw).toEqual(Buffer.from((await findRoot(getDb(), "sha2"))?.certificate ?? []));
    expect(issuing.checkIssued(root)).toBe(true);
    expect((await certificateIn(await own.send(ROOT))).raw).toEqual(root.raw);
  });

  test("[API-04] are refused at the field when the extension does not match a root", async () => {
    const refusal = await refusalOf(await own.send(`${ROOT}?type=DER&extension=PEM`));
    expect(refusal.status).toBe(422);
    expect(refusal.errors?.extension).toContain("does not match");
  });
});

describe("[API-04] DownloadCertificateInvoice", () => {
  const invoice = (orderId: number | string, by = own) => by.send(`${INVOICE}?certificateOrderId=${orderId}`);

  test("[API-04] returns the PDF of the order's invoice", async () => {
    const [{ number } = { number: "" }] = await invoicesOf(issued.orderId);
    const answer = await invoice(issued.orderId);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toContain(number);
    expect(pdfText(await bytesOf(answer))).toContain(number);
    expect((await invoice(issued.orderId, staff)).status).toBe(200);
  });

  test("[API-04] [SAL-05] returns an invoice that a credit note cancelled", async () => {
    const { orderId } = await issueCertificate({ customer, csr: makeCsr().der });
    const [{ id, number } = { id: 0, number: "" }] = await invoicesOf(orderId);
    await issueCreditNote({ orderId, invoiceId: id, reason: "Ordered twice" }, systemActor("test"));
    const answer = await invoice(orderId);
    expect([answer.status, answer.headers.get("Content-Disposition")]).toEqual([
      200,
      `attachment; filename="${number}.pdf"`,
    ]);
  });

  test("[API-04] says that there is no invoice yet", async () => {
    const pending = await createCertificateOrder(customer);
    const refusal = await refusalOf(await invoice(pending.orderId));
    expect(refusal).toMatchObject({ status: 422, responseText: "There is no invoice for this order yet." });
  });

  test("[API-06] answers others with not found", async () => {
    expect((await invoice(issued.orderId, stranger)).status).toBe(404);
    expect((await invoice(999_999)).status).toBe(404);
    expect((await invoice("x")).status).toBe(422);
  });
});
