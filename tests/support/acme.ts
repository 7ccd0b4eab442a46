import { makeAcmeKey } from "~/domain/acme/keys.service.server";
import { loader } from "~/routes/acme.$";
import { AcmeClient, type AcmeClientKey, newClientKey } from "./acme-client";
import { type ApiClient, newProgram } from "./api";
import { personOf } from "./companies";
import { type useOpenssl } from "./openssl";
import { confirmDomainOf, grantStanding, issueBasis } from "./standing";
import { TEST_ORIGIN } from "./variables";
import { run } from "./visitor";

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];

/** Returns an ACME client that sends its requests to the route. */
export const acmeClientOf = (key: AcmeClientKey): AcmeClient =>
  new AcmeClient(key, TEST_ORIGIN, (request) =>
    run(loader, request, { "*": new URL(request.url).pathname.slice("/acme/".length) }),
  );

let count = 0;

/** A company with a standing authorisation for a domain, whose certificates have the organisation of the test. */
export async function newAcmeCompany(makeCsr: MakeCsr, given: Parameters<typeof grantStanding>[2] = {}) {
  const { user, client }: { user: Awaited<ReturnType<typeof newProgram>>["user"]; client: ApiClient } =
    await newProgram();
  const domain = `acme${(count += 1)}.example.org`;
  await confirmDomainOf(user, domain);
  const host = `basis.${domain}`;
  const subject = `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`;
  const basis = await issueBasis(client, makeCsr({ subject, san: [`DNS:${host}`] }).pem);
  const standing = await grantStanding(user, basis, { ceilingCertificates: 20, ...given });
  return { user, domain, basis, standing };
}

/** Makes a key as an owner does on the page. */
export const newAcmeKey = async ({ user, standing }: { user: Parameters<typeof personOf>[0]; standing: number }) =>
  makeAcmeKey(await personOf(user), standing, { description: "Web server" });

/** An account under a new standing authorisation. */
export async function newAcmeAccount(makeCsr: MakeCsr, given: Parameters<typeof grantStanding>[2] = {}) {
  const company = await newAcmeCompany(makeCsr, given);
  const acme = acmeClientOf(await newClientKey());
  await acme.register(await newAcmeKey(company));
  /** Returns a CSR that has these names only. */
  const csrOf = (...names: string[]) => makeCsr({ subject: "", san: names.map((name) => `DNS:${name}`) });
  return { ...company, acme, csrOf };
}
