import { byClient, leftText } from "~/domain/companies/people.server";
import { type Correction } from "~/domain/orders/corrections/correction";
import { orderNumber } from "~/domain/orders/order-number";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findOrder } from "~db/repositories/orders.server";
import { parseContact } from "../purchase/contact.schema";
import { preparersText } from "../purchase/preparers.server";
import { namesOfOrder } from "../request/certified-names.server";
import { captionedNames } from "../request/subject-names.server";
import { findStatedCorrection } from "../succession/correction-notes.server";
import { isReissueByStaff } from "../succession/reissue.policy";
import { validityText } from "./validity.server";

interface Previous {
  id: number;
  commonName: string;
  expiryDate: string | null;
}

/** Who ordered what. The authentication contact sees this before answering. */
export interface Authorisation {
  contactName: string;
  contactEmail: string;
  /** The customer. The name of the API client that placed the order, if one did, follows that of the person. */
  applicant: { name: string; company: string; position: string; email: string; phoneNumber: string };
  /** Who prepared a renewal for the applicant, or null. */
  preparedBy: string | null;
  orderNumber: string;
  commonName: string;
  organisation: string;
  organisationUnit: string | null;
  locality: string | null;
  state: string | null;
  country: string;
  email: string | null;
  names: { caption: string; values: string[] }[];
  ssid: string | null;
  /** How long the certificate will be valid, in words. */
  validity: string;
  /** The certificate that the order renews. */
  renewed: Previous | null;
  /** The certificate that staff replace. */
  replaced: Previous | null;
  /** The certificate that the order corrects. */
  corrected: Previous | null;
  /** What the correction changes. */
  changes: readonly Correction[];
  requestedAt: string;
}

async function previousOf(db: DbOrTrx, { previousCertificateId }: CertificateRow): Promise<Previous | null> {
  const previous = previousCertificateId === null ? null : await findCertificate(db, previousCertificateId);
  return previous && { id: previous.id, commonName: previous.commonName, expiryDate: previous.expiryDate };
}

async function preparerOf(db: DbOrTrx, { orderId }: CertificateRow): Promise<string | null> {
  const order = await findOrder(db, orderId);
  return order && preparersText(db, order);
}

/**
 * Returns what the authentication contact of a stored order is asked to authorise.
 *
 * @param clientName The name of the API client that placed the order, or null.
 */
export async function authorisationOf(
  db: DbOrTrx,
  row: CertificateRow,
  clientName: string | null,
): Promise<Authorisation> {
  const { name, company, position, email, phoneNumber } = parseContact(row.technicalContact);
  const previous = await previousOf(db, row);
  const left = await leftText(db, row, [row.userId]);
  return {
    contactName: parseContact(row.authenticationContact).name,
    contactEmail: row.authenticationEmail,
    applicant: { name: byClient(name + left(row.userId), clientName), company, position, email, phoneNumber },
    preparedBy: isReissueByStaff(row) ? null : await preparerOf(db, row),
    orderNumber: orderNumber(row.orderId),
    commonName: row.commonName,
    organisation: row.organisation,
    organisationUnit: row.organisationUnit,
    locality: row.locality,
    state: row.state,
    country: row.country,
    email: row.email,
    names: captionedNames(namesOfOrder(row)),
    ssid: row.ssid,
    validity: await validityText(db, row),
    renewed: row.orderType === "Renewal" ? previous : null,
    replaced: isReissueByStaff(row) ? previous : null,
    corrected: row.isCorrection ? previous : null,
    changes: (await findStatedCorrection(row, db))?.changes ?? [],
    requestedAt: row.requestedAt,
  };
}
