import { beforeAll } from "vitest";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

type User = Awaited<ReturnType<typeof createUser>>;

/**
 * Returns a customer, an administrator, and functions for what they do with pending orders. Call it once at the top of the file, after
 * `usePortal`.
 */
export function useQueue() {
  const { makeCsr } = useOpenssl();
  const people = {} as { anna: User; customer: Visitor; staff: Visitor };
  /** One CSR for each customer, because a key belongs to one account. */
  const csrs = new Map<number, MadeCsr>();

  beforeAll(async () => {
    const anna = await createUser();
    const admin = await createAdmin({ email: "olga@example.org" });
    Object.assign(people, { anna, staff: await signedInAs(admin), customer: await signedInAs(anna) });
  });

  return {
    people,
    order: (given: Parameters<typeof createCertificateOrder>[2] = {}, user = people.anna) => {
      const csr = csrs.get(user.id) ?? makeCsr({ san: ["DNS:edi.acme.example"] });
      csrs.set(user.id, csr);
      return createCertificateOrder(user, csr.der, given);
    },
    send: async (id: number, fields: Record<string, string>, who = people.staff) =>
      run(orderPage.action, await who.post(`/home/certificate-queue/${id}`, fields), { id: String(id) }),
    open: (id: number, fields?: Record<string, string>) =>
      openPage(orderPage, people.staff, `/home/certificate-queue/${id}`, {
        params: { id: String(id) },
        ...(fields && { fields }),
      }),
  };
}
