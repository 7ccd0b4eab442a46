import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { toPem } from "~/ca/pem.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { FIRST_AUTHORITIES } from "~/domain/authorities/catalogue";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { action as decide } from "~/routes/home.certificate-queue.$id/route";
import { action as revoke } from "~/routes/home.certificate.revoke.$id";
import { getDb } from "~db/connection.server";
import { type HierarchyName } from "~db/tables";
import { type Buyer, buyerAtInvoice, certificateOf, onlyOrder } from "../integration/purchase-journey";
import { confirmed } from "../integration/revoking";
import { checksDone, readCertificate, setCertificate } from "../support/certificates";
import { createAdmin } from "../support/factories";
import { run, signedInAs, type Visitor } from "../support/visitor";

/** Creates new hierarchies with responders and CRLs. Their certificates contain the addresses of this portal. */
export async function createPortalCa(dataDir: string): Promise<void> {
  for (const table of ["ocspResponders", "crls", "authorities"] as const) await getDb().deleteFrom(table).execute();
  rmSync(join(dataDir, "ca"), { recursive: true });
  await createAuthorities({ bits: 2048 });
  await renewResponders();
  for (const { name } of FIRST_AUTHORITIES) await publishCrls(name, new Date(), { allowRoot: true });
}

export const authorityPem = async (name: (typeof FIRST_AUTHORITIES)[number]["name"]): Promise<string> =>
  toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate);

/** A certificate and its owner. */
export interface Issued {
  id: number;
  pem: string;
  serialNumber: string;
  buyer: Buyer;
}

/** Buys a certificate in the wizard and approves it on the page of the queue. */
export async function buyCertificate(csr: string, hierarchy: HierarchyName, staff: Visitor): Promise<Issued> {
  const buyer = await buyerAtInvoice(csr);
  expect((await buyer.invoice()).status).toBe(303);
  const { id } = await certificateOf((await onlyOrder(buyer)).id);
  await setCertificate(id, { ...checksDone(), hierarchy }); // no page chooses the hierarchy yet
  const approval = await staff.post(`/home/certificate-queue/${id}`, { intent: "approve", confirmed: "yes" });
  expect((await run(decide, approval, { id: String(id) })).status).toBe(303);
  const { der, serialNumber } = await readCertificate(id);
  return { id, pem: toPem("CERTIFICATE", der ?? Buffer.alloc(0)), serialNumber: serialNumber ?? "", buyer };
}

/** Revokes a certificate on the page of its owner. */
export async function revokeOnPage({ id, buyer }: Issued): Promise<void> {
  const form = await buyer.visitor.post(`/home/certificate/revoke/${id}`, confirmed({ revocationReason: "1" }));
  const answer = await run(revoke, form, { id: String(id) });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
}

/** Returns a visitor who is logged in as an administrator. */
export const signedInStaff = async (): Promise<Visitor> => signedInAs(await createAdmin());
