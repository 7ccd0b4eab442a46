import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPANY_TASKS, type CompanyTask, mayAsMember, ROLES } from "~/domain/companies/roles.policy";
import { paths } from "~/lib/paths";
import * as csrFile from "~/routes/home.certificate-csr.$id";
import * as details from "~/routes/home.certificate-details.$id/route";
import * as download from "~/routes/home.certificate-download.$id";
import * as file from "~/routes/home.certificate-file.$id";
import * as contactStep from "~/routes/home.certificate.$wizard.contact-details";
import * as revoke from "~/routes/home.certificate.revoke.$id";
import * as certificates from "~/routes/home.certificates";
import * as codeContactStep from "~/routes/home.code.purchase.contact-details";
import * as codes from "~/routes/home.codes/route";
import * as codePage from "~/routes/home.codes_.code-details/route";
import * as company from "~/routes/home.company/route";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { ENTITY, pageOf } from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createColleague } from "../support/companies";
import { createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { issueEnding } from "./renewal-journey";
import { confirmed } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

/** The actors of the table. Staff have every right, and no role in the company. */
const ACTORS = ["stranger", ...ROLES.toReversed(), "staff"] as const;
type Actor = (typeof ACTORS)[number];

type Person = Awaited<ReturnType<typeof createUser>>;

/** An attempt on what a company owns. Returns whether it was carried out. */
interface Attempt {
  task: CompanyTask;
  what: string;
  /** Whether staff may do it with what belongs to a customer. */
  forStaff?: true;
  run: (visitor: Visitor, owner: Person) => Promise<boolean>;
}

const answered = (answer: Response) => answer.status === 200;

/** Returns whether an answer leads to this page, and not back with a refusal. */
const leadsTo = (answer: Response, page: string) => (answer.headers.get("Location") ?? "").startsWith(page);

const saidAfter = async (visitor: Visitor, answer: Response): Promise<string> => {
  visitor.follow(answer);
  return (await toastOf(visitor)) ?? "";
};

const withId = (id: number) => ({ id: String(id) });

const ATTEMPTS: readonly Attempt[] = [
  {
    task: "see-company",
    what: "open a certificate",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
      return answered(await run(details.loader, visitor.get(paths.certificateDetails(id)), withId(id)));
    },
  },
  {
    task: "download-certificates",
    what: "open the download page",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
      return answered(await run(download.loader, visitor.get(paths.certificateDownload(id)), withId(id)));
    },
  },
  {
    task: "download-certificates",
    what: "download a certificate",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
      const query = { certificateType: "own", encoding: "PEM", fileExtension: "PEM" };
      const answer = await run(file.loader, visitor.get(paths.certificateFile(id, query)), withId(id));
      return answered(answer) && (await answer.text()).includes("BEGIN CERTIFICATE");
    },
  },
  {
    task: "download-certificates",
    what: "download the CSR",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
      return answered(await run(csrFile.loader, visitor.get(paths.certificateCsr(id)), withId(id)));
    },
  },
  {
    task: "prepare-renewals",
    what: "begin a renewal",
    run: async (visitor, owner) => {
      const { id } = await issueEnding(30, { customer: owner, csr: makeCsr().der });
      const fields = { id: String(id), intent: "renew" };
      const answer = await run(certificates.action, await visitor.post(paths.certificates, fields));
      return leadsTo(answer, "/home/certificate/renew/contact-details");
    },
  },
  {
    task: "cancel-orders",
    what: "cancel an order",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await createCertificateOrder(owner, makeCsr().der);
      const fields = { intent: "cancel", confirmed: "yes", decisionReason: "" };
      const answer = await run(details.action, await visitor.post(paths.certificateDetails(id), fields), withId(id));
      return (await saidAfter(visitor, answer)).endsWith("has been cancelled.");
    },
  },
  {
    task: "revoke-own-certificates",
    what: "revoke a certificate",
    forStaff: true,
    run: async (visitor, owner) => {
      const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
      const answer = await run(revoke.action, await visitor.post(paths.certificateRevoke(id), confirmed()), withId(id));
      return /revoked/i.test(await saidAfter(visitor, answer));
    },
  },
  {
    task: "register-codes",
    what: "begin to register an entity",
    run: async (visitor, owner) => {
      await createAvailableCodes(owner, "Full", 1);
      const answer = await run(codePage.loader, visitor.get(paths.codeDetails({ type: "Full" })));
      return leadsTo(answer, "/home/codes/code-details");
    },
  },
  {
    task: "register-codes",
    what: "begin to register a sub-entity",
    run: async (visitor, owner) => {
      const { id } = await createCode(owner);
      const fields = { id: String(id), intent: "sub-entity" };
      return leadsTo(await run(codes.action, await visitor.post(paths.codes, fields)), "/home/codes/code-details");
    },
  },
  {
    task: "change-own-codes",
    what: "change a code",
    forStaff: true,
    run: async (visitor, owner) => {
      const path = paths.codeDetails({ code: (await createCode(owner)).id });
      const page = await pageOf(visitor, path).catch(() => null);
      const fields = {
        ...ENTITY,
        status: "Registered",
        version: page?.values?.version ?? "",
        entityName: "Plant South",
      };
      const answer = await run(codePage.action, await visitor.post(path, fields));
      return answer.status === 303;
    },
  },
];

/** Attempts on one's own company. Staff own one, too, so that they are left out. */
const OWN: readonly Attempt[] = [
  {
    task: "place-orders",
    what: "begin an order of a certificate",
    run: async (visitor) => {
      const step = paths.certificatePurchase("contact-details");
      return leadsTo(await run(contactStep.loader, visitor.get(step), { wizard: "purchase" }), step);
    },
  },
  {
    task: "place-orders",
    what: "begin an order of codes",
    run: async (visitor) => {
      const step = paths.codePurchase("contact-details");
      return leadsTo(await run(codeContactStep.loader, visitor.get(step)), step);
    },
  },
  {
    task: "manage-company",
    what: "invite a colleague",
    run: async (visitor) => {
      const fields = { email: "colleague@example-parts.com", role: "reader" };
      return (
        await saidAfter(visitor, await run(company.action, await visitor.post(paths.company, fields)))
      ).startsWith("The invitation is on its way");
    },
  },
];

const table: string[][] = [["Attempt", ...ACTORS]];

async function personFor(actor: Actor, owner: Person): Promise<Person> {
  if (actor === "owner") return owner;
  if (actor === "stranger") return createUser();
  if (actor === "staff") return createStaff(["registration-officer", "approver", "finance", "auditor"]);
  return createColleague(owner, actor);
}

const isAllowed = ({ task, forStaff }: Attempt, actor: Actor): boolean => {
  if (actor === "stranger") return false;
  if (actor === "staff") return forStaff === true;
  return mayAsMember({ role: actor, isApplicant: true }, task);
};

afterAll(() => {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  process.stdout.write(`${lines.join("\n")}\n`);
});

describe("what each actor may do with what a company owns", () => {
  let owner: Person;
  beforeAll(async () => (owner = await createUser()));

  test.each(ATTEMPTS.map((attempt) => [attempt.what, attempt] as const))(
    "[API-06] [CER-08] %s",
    async (what, attempt) => {
      const row: string[] = [what];
      for (const actor of ACTORS) {
        const done = await attempt.run(await signedInAs(await personFor(actor, owner)), owner);
        expect({ what, actor, done }).toEqual({ what, actor, done: isAllowed(attempt, actor) });
        row.push(done ? "yes" : "-");
      }
      table.push(row);
    },
  );

  test.each(OWN.map((attempt) => [attempt.what, attempt] as const))("[PUR-01] %s", async (what, attempt) => {
    const row: string[] = [what, ""];
    for (const actor of ROLES.toReversed()) {
      const done = await attempt.run(await signedInAs(await personFor(actor, owner)), owner);
      expect({ what, actor, done }).toEqual({ what, actor, done: isAllowed(attempt, actor) });
      row.push(done ? "yes" : "-");
    }
    table.push([...row, ""]);
  });

  test("every task of members has an attempt", () => {
    const tried = [...ATTEMPTS, ...OWN].map(({ task }) => task);
    expect(Object.keys(COMPANY_TASKS).filter((task) => !tried.includes(task as CompanyTask))).toEqual([]);
  });
});
