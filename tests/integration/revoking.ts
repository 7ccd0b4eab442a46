import { beforeAll } from "vitest";
import { toPem } from "~/ca/pem.server";
import { findIssuer, findRoot } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSession } from "~/http/session.server";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { issueCertificate } from "../support/certificates";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { run, Visitor } from "../support/visitor";

/** Returns the date and time fields of the form for an instant. */
export const at = (moment: Date | string) => {
  const iso = new Date(moment).toISOString();
  return { revocationDate: iso.slice(0, 10), revocationTime: iso.slice(11, 19) };
};

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Returns an instant this many seconds from now, in whole seconds, which is the precision of the form. */
export const inWholeSeconds = (seconds: number) => new Date(Math.floor(inSeconds(seconds).getTime() / 1000) * 1000);

/** Returns the fields of the form as the page fills them. Unchanged date and time mean now, however long the form takes to arrive. */
export function form(change: Record<string, string> = {}) {
  const now = new Date();
  return { revocationReason: "4", revocationDescription: "", ...at(now), loadedAt: now.toISOString(), ...change };
}

export const confirmed = (change: Record<string, string> = {}) => form({ confirmed: "yes", ...change });

export async function toastOf(answer: Response) {
  const visitor = new Visitor("");
  visitor.follow(answer);
  return (await getSession(visitor.get("/"))).get("toast");
}

/** Returns the kind of each answer's toast, sorted. */
export const kindsOf = async (answers: Response[]) =>
  (await Promise.all(answers.map(toastOf))).map((toast) => toast?.kind).sort();

/** Returns the CAs of sha2 and their published CRLs. */
export async function lists() {
  const issuer = await findIssuer(getDb(), "sha2");
  const root = await findRoot(getDb(), "sha2");
  if (!issuer || !root) throw new Error("no hierarchy");
  const [base, delta] = [await findLatestCrl(getDb(), issuer.id, false), await findLatestCrl(getDb(), issuer.id, true)];
  const rootList = await findLatestCrl(getDb(), root.id, false);
  if (!base || !delta || !rootList) throw new Error("no lists");
  return { issuer, root, base, delta, rootList };
}

/** Starts a portal with published CRLs. Returns its people, and functions for tests of revocations. Call it once at the top of the file. */
export function useRevoking() {
  const portal = usePortal();
  const { file, makeCsr } = useOpenssl();
  const people = usePeople();

  beforeAll(async () => {
    await publishCrls("root", new Date(), { allowRoot: true });
    await publishCrls("issuing-sha2");
  });

  /** Issues a certificate with a new key to the customer. */
  const issue = () => issueCertificate({ customer: people.customer, csr: makeCsr().der });

  const send = async (id: number | string, fields: Record<string, string>, who = people.customer.visitor) =>
    run(revokePage.action, await who.post(`/home/certificate/revoke/${id}`, fields), { id: String(id) });

  const open = (id: number | string, who = people.customer.visitor) =>
    run(revokePage.loader, who.get(`/home/certificate/revoke/${id}`), { id: String(id) });

  /** Returns the output of `openssl verify -crl_check` with the published CRLs. */
  async function verifyWithLists(der: Buffer): Promise<string> {
    const { issuer, root, base } = await lists();
    const args = [
      "verify",
      "-crl_check",
      "-CAfile",
      file("pem", toPem("CERTIFICATE", root.certificate)),
      "-untrusted",
      file("pem", toPem("CERTIFICATE", issuer.certificate)),
      "-CRLfile",
      file("pem", toPem("X509 CRL", base.der)),
      file("pem", toPem("CERTIFICATE", der)),
    ];
    try {
      return openssl(args);
    } catch {
      return opensslFailure(args);
    }
  }

  return { portal, people, makeCsr, issue, send, open, verifyWithLists };
}
