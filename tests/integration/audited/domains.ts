import { addDomain } from "~/domain/companies/domains/domains.service.server";
import { sendDomainMail } from "~/domain/companies/domains/mailed-link.service.server";
import { filePathOf } from "~/domain/companies/domains/proofs.server";
import { accountPaths } from "~/lib/account-paths";
import { apiClientOf } from "../../support/api";
import { type CallDeed, type Deed, deed, type Submission } from "../../support/audited";
import { personOf } from "../../support/companies";
import { addTo, confirmByDns, type DomainServers } from "../../support/domains";
import { createStaff, createUser, TEST_PASSWORD } from "../../support/factories";
import { mailsTo } from "../../support/recovery";
import { anonymous, signedInAs } from "../../support/visitor";

let count = 0;
const newName = () => `audited${(count += 1)}.example.com`;

/** An owner with a domain whose record both DNS servers have. */
async function newDomain({ publish }: DomainServers) {
  const [owner, name] = [await createUser(), newName()];
  const { id, token } = await addTo(owner, name);
  publish(`_marque-challenge.${name}`, { txt: [token] });
  return { owner, id, name, token };
}

/** Returns a form on the page of a domain. */
const pressing =
  (servers: DomainServers, fields: (domain: { name: string }) => Record<string, string>) =>
  async (): Promise<Submission> => {
    const { owner, id, name, token } = await newDomain(servers);
    servers.publish(name, { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    const place = { path: accountPaths.domain(id), params: { id: String(id) } };
    return { visitor: await signedInAs(owner), fields: fields({ name }), ...place };
  };

/** Actions about domains, by route. */
export const domainDeeds = (servers: DomainServers): Record<string, readonly Deed[]> => ({
  "home.company_.domains._index": [
    deed("adding a domain", ["company.domain-added"], async () => ({
      visitor: await signedInAs(await createUser()),
      fields: { domain: newName() },
    })),
  ],
  "home.company_.domains.$id": [
    deed(
      "checking a record",
      ["company.domain-confirmed"],
      pressing(servers, () => ({ intent: "check-dns" })),
    ),
    deed(
      "checking a file",
      ["company.domain-confirmed"],
      pressing(servers, () => ({ intent: "check-http" })),
    ),
    deed(
      "sending a link",
      ["company.domain-mailed"],
      pressing(servers, ({ name }) => ({ intent: "mail", address: `admin@${name}` })),
    ),
    deed(
      "asking for new values",
      ["company.domain-renewed"],
      pressing(servers, () => ({ intent: "renew" })),
    ),
    deed(
      "removing a domain",
      ["company.domain-removed"],
      pressing(servers, () => ({ intent: "remove", confirmed: "yes" })),
    ),
  ],
  "home.companies.$id_.domains.$domainId": [
    deed("ending a confirmation", ["company.domain-ended"], async () => {
      const owner = await createUser();
      const id = await confirmByDns(owner, newName(), servers);
      const path = accountPaths.endDomain(owner.companyId, id);
      const params = { id: String(owner.companyId), domainId: String(id) };
      const visitor = await signedInAs(await createStaff(["approver"]));
      return { visitor, fields: { reason: "Asked to" }, path, params };
    }),
  ],
  "_public.confirm-domain.$token": [
    deed("confirming by a link", ["company.domain-confirmed"], async () => {
      const [owner, address] = [await createUser(), `it@${newName()}`];
      const user = await personOf(owner);
      await sendDomainMail(user, { id: await addDomain(user, address), address });
      const token = /\/confirm-domain\/(\S+)/.exec((await mailsTo(address))[0]?.text ?? "")?.[1] ?? "";
      return { visitor: await anonymous(), path: accountPaths.confirmDomain(token), params: { token } };
    }),
  ],
});

/** Returns a call of an owner about a domain. */
const calling = (servers: DomainServers, body: (domain: { domainId: number; name: string }) => object) => async () => {
  const { owner, id, name } = await newDomain(servers);
  return { client: await apiClientOf(owner.email, TEST_PASSWORD), body: body({ domainId: id, name }) };
};

/** Calls about domains, by path. */
export const domainCallDeeds = (servers: DomainServers): Record<string, CallDeed> => ({
  "Companies/AddDomain": { events: ["company.domain-added"], prepare: calling(servers, () => ({ domain: newName() })) },
  "Companies/CheckDomain": {
    events: ["company.domain-confirmed"],
    prepare: calling(servers, ({ domainId }) => ({ domainId, method: "dns" })),
  },
  "Companies/SendDomainMail": {
    events: ["company.domain-mailed"],
    prepare: calling(servers, ({ domainId, name }) => ({ domainId, address: `admin@${name}` })),
  },
  "Companies/RenewDomainChallenge": {
    events: ["company.domain-renewed"],
    prepare: calling(servers, ({ domainId }) => ({ domainId })),
  },
  "Companies/RemoveDomain": {
    events: ["company.domain-removed"],
    prepare: calling(servers, ({ domainId }) => ({ domainId })),
  },
  "Companies/EndDomain": {
    events: ["company.domain-ended"],
    prepare: async () => {
      const owner = await createUser();
      const domainId = await confirmByDns(owner, newName(), servers);
      const client = await apiClientOf((await createStaff(["approver"])).email, TEST_PASSWORD);
      return { client, body: { companyId: owner.companyId, domainId, reason: "The company was sold." } };
    },
  },
});
