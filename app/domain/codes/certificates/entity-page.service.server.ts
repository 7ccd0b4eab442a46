import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type CertificateFile, makeCertificateFile } from "~/domain/certificates/catalogue/download.service.server";
import { USUAL_PARTNER_FILES } from "~/domain/certificates/catalogue/usual-files.server";
import { mayFor } from "~/domain/companies/roles.policy";
import { certificatePaths } from "~/lib/certificate-paths";
import { formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { listFoundCodes } from "~db/repositories/code-search.server";
import { type CodeRow, findCode } from "~db/repositories/codes.server";
import { type CarrierRow } from "~db/repositories/entity-certificates.server";
import { isFollowing } from "~db/repositories/entity-followers.server";
import { fullCode, oftpIdentifier } from "../code-types";
import { listPublished, listUsableCarriers, MOST_PUBLISHED, viewPublished } from "./published.server";

const ONE = { sort: { key: "code", direction: "asc" }, offset: 0, limit: 1 } as const;

/** Returns the certificates of a company that carry the OFTP ID of its entity, as the company reads them. */
const toCarrier = ({ id, commonName, expiryDate }: CarrierRow) => ({
  id,
  commonName,
  expiryDate,
  href: paths.certificateDetails(id),
});

/** Returns what only the company that owns an entity, and staff, see. */
async function ownersPart(user: SessionUser, code: CodeRow, published: ReadonlySet<number>, now: Date) {
  const carriers = await listUsableCarriers(getDb(), code, now);
  const mayPublish = mayFor(user, code, "publish-certificates");
  return {
    carriers: carriers.map(toCarrier),
    offered: carriers.filter(({ id }) => !published.has(id)).map(toCarrier),
    mayPublish: mayPublish && code.status === "Registered" && published.size < MOST_PUBLISHED,
    mayEnd: mayPublish,
  };
}

/**
 * Returns an entity of the register with the certificates that are published there, for somebody who may search. `own` is null unless the
 * user sees what the company has. Returns null when there is no such entity.
 */
export async function findEntityPage(user: SessionUser, codeId: number, now = new Date()) {
  const code = await findCode(getDb(), codeId);
  const [row] = code ? await listFoundCodes(getDb(), [codeId], ONE) : [];
  if (!code || !row) return null;
  const published = (await viewPublished(getDb(), [codeId], now)).get(codeId) ?? [];
  const isOwn = maySee(user, code);
  return {
    id: codeId,
    fullCode: fullCode(code),
    oftpId: oftpIdentifier(code),
    status: code.status,
    company: row.company,
    entityName: row.entityName,
    place: [row.city, row.country].filter(Boolean).join(", "),
    details: isOwn ? paths.codeDetails({ code: codeId }) : null,
    published: published.map((view) => ({
      ...view,
      files: USUAL_PARTNER_FILES.map(({ label, form }) => ({
        form,
        label: `${label}, ${form}`,
        href: certificatePaths.entityFile(codeId, view.id, form),
      })),
    })),
    isFollowed: await isFollowing(getDb(), user.id, codeId),
    own: isOwn ? await ownersPart(user, code, new Set(published.map(({ id }) => id)), now) : null,
  };
}

export type EntityPage = NonNullable<Awaited<ReturnType<typeof findEntityPage>>>;

/** Returns a usual file of a certificate that is published at an entity, or null when it is not published there or there is no such form. */
export async function readEntityFile(
  codeId: number,
  certificateId: number,
  form: string,
  now = new Date(),
): Promise<CertificateFile | null> {
  const published = await listPublished(getDb(), [codeId], now);
  const file = USUAL_PARTNER_FILES.find((one) => one.form === form);
  if (!file || !published.some(({ id }) => id === certificateId)) return null;
  const row = await findCertificate(getDb(), certificateId);
  return row?.der ? makeCertificateFile({ ...row, der: row.der }, file.choice) : null;
}

/** Returns the certificates that are published at these entities as a search lists them, by entity. Entities without any are left out. */
export async function publishedInSearch(
  codeIds: readonly number[],
  from: string,
  now = new Date(),
): Promise<Record<number, { text: string; href: string }>> {
  const published = await viewPublished(getDb(), codeIds, now);
  return Object.fromEntries(
    [...published].flatMap(([codeId, views]) => {
      const [first, ...others] = views;
      if (!first) return [];
      const more = others.length > 0 ? ` and ${others.length} more` : "";
      const text = `Certificate ${first.commonName}, valid until ${formatDate(first.expiryDate)}${more}`;
      return [[codeId, { text, href: certificatePaths.entity(codeId, from) }]];
    }),
  );
}

/** Returns what the page of a code says about its certificates, for the company and staff. */
export async function certificatesOfCode(code: CodeRow, now = new Date()) {
  const carriers = await listUsableCarriers(getDb(), code, now);
  const published = new Set((await listPublished(getDb(), [code.id], now)).map(({ id }) => id));
  return {
    href: certificatePaths.entity(code.id, paths.codeDetails({ code: code.id })),
    carriers: carriers.map((row) => ({
      id: row.id,
      href: paths.certificateDetails(row.id),
      name: row.commonName,
      text: `certificate ${row.id}, valid until ${formatDate(row.expiryDate)}${published.has(row.id) ? ", in the register" : ""}`,
    })),
    words:
      carriers.length === 0
        ? `No certificate of the company that can be used carries the OFTP ID ${oftpIdentifier(code)}.`
        : code.status === "Registered"
          ? `These certificates carry the OFTP ID ${oftpIdentifier(code)}.`
          : `The code is ${code.status}, but these certificates still carry the OFTP ID ${oftpIdentifier(code)}. They stay valid; revoke those that are not used any more.`,
  };
}
