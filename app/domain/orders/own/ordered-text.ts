import { orderTypeText } from "~/domain/certificates/certificates.policy";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { type CertificateOrderType, type OrderType } from "~db/tables";

interface Ordered {
  orderType: OrderType | "";
  /** The number of codes, or null. */
  numberOfCodes: number | null;
  /** The certificate that was ordered, or null. */
  certificate: { commonName: string; orderType: CertificateOrderType; previousCertificateId: number | null } | null;
}

/** Returns what was ordered, in words: `Certificate for edi.acme.example`, `3 × OSCAR Code Full`. */
export function orderedText({ certificate, numberOfCodes, ...order }: Ordered): string {
  if (certificate) {
    const type = orderTypeText(certificate.orderType, certificate.previousCertificateId);
    return `${type === "Initial" ? "Certificate" : type} for ${certificate.commonName}`;
  }
  const label = orderTypeLabel(order.orderType);
  return numberOfCodes ? `${numberOfCodes} × ${label}` : label;
}
