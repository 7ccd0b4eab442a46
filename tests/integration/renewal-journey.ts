import { expect } from "vitest";
import { addDays, addYears } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { action as listAction } from "~/routes/home.certificates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { issueCertificate, type IssueOptions } from "../support/certificates";
import { createUser } from "../support/factories";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { Buyer, draftOf } from "./purchase-journey";

type User = Awaited<ReturnType<typeof createUser>>;

/** Returns a certificate with a validity of 2 years that expires in `days` days. */
export function issueEnding(days: number, options: IssueOptions = {}) {
  const now = addYears(addDays(new Date(), days), -2);
  return issueCertificate({ ...options, now, order: { validityYears: 2, ...options.order } });
}

/** Presses Renew on the list. */
export const pressRenew = async (visitor: Visitor, id: number) =>
  run(listAction, await visitor.post(paths.certificates, { id: String(id), intent: "renew" }));

/** Presses Renew on the list as the owner of this certificate. Returns the owner at the first step of the renewal. */
export async function startRenewing(user: User, { id }: Pick<CertificateRow, "id">): Promise<Buyer> {
  const visitor = await signedInAs(user);
  const response = await pressRenew(visitor, id);
  expect(response.headers.get("Location")).toMatch(/^\/home\/certificate\/renew\/contact-details\?draft=[\w-]{22}$/);
  return new Buyer(user, visitor, draftOf(response), "renew");
}

/** Returns a customer whose certificate of this CSR ends in `days` days, and who has begun to renew it. */
export async function newRenewer(csr: Uint8Array | string, order: IssueOptions["order"] = {}, days = 100) {
  const user = await createUser();
  const original = await issueEnding(days, { customer: user, csr, order });
  return { user, original, renewer: await startRenewing(user, original) };
}
