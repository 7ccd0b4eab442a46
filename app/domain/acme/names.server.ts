import { z } from "zod";
import { isConfirmedHost } from "~/ca/names/domain-control.server";
import { dnsFormProblem } from "~/ca/names/name-form.server";
import { hostProblem } from "~/ca/names/name-policy.server";
import { standingName } from "~/domain/certificates/standing/standing";
import { listsOf } from "~/domain/certificates/standing/standing.policy";
import { allowedNames } from "~/lib/allowed-names.server";
import { type StandingRow } from "~db/repositories/standing-authorisations.server";
import { type AcmeErrorType, AcmeProblem, problemDocument } from "./problem";

/** How many names an order can have. */
export const MOST_NAMES_OF_ORDER = 100;

export const identifiersSchema = z
  .array(z.object({ type: z.string(), value: z.string() }).strict())
  .min(1)
  .max(MOST_NAMES_OF_ORDER);

type Asked = z.output<typeof identifiersSchema>[number];

interface Refused {
  asked: Asked;
  type: AcmeErrorType;
  detail: string;
}

/** Returns why an order with this name is refused, or null. */
function refusalOf(asked: Asked, row: StandingRow): Refused | null {
  const { type, value } = asked;
  if (type !== "dns")
    return {
      asked,
      type: "unsupportedIdentifier",
      detail: `'${value}' is of the type ${type}; only dns is supported.`,
    };
  const name = value.toLowerCase();
  const form = dnsFormProblem(name);
  if (form) return { asked, type: "malformed", detail: `'${value}' ${form.text}.` };
  const problem = hostProblem(name, { allowedNames: allowedNames() });
  if (problem) return { asked, type: "rejectedIdentifier", detail: `'${value}' ${problem.text}.` };
  if (isConfirmedHost(name, listsOf(row).domains)) return null;
  const detail = `'${value}' is not covered by the domains of ${standingName(row.id)}. An owner can ask for a new one.`;
  return { asked, type: "rejectedIdentifier", detail };
}

/**
 * Returns the names of an order in lower case, each once, sorted. Names that can never be within the standing authorisation are refused
 * before anything is ordered.
 *
 * @throws AcmeProblem with a subproblem for each name that is refused (RFC 8555 §6.7.1).
 */
export function requireNames(identifiers: readonly Asked[], row: StandingRow): string[] {
  const refused = identifiers.flatMap((asked) => refusalOf(asked, row) ?? []);
  const [first] = refused;
  if (!first) return [...new Set(identifiers.map(({ value }) => value.toLowerCase()))].sort();
  const subproblems = refused.map(({ asked, type, detail }) => ({
    ...problemDocument(type, detail),
    identifier: { ...asked, type: asked.type as "dns" },
  }));
  throw new AcmeProblem(first.type, refused.map(({ detail }) => detail).join(" "), { subproblems });
}

/** Returns the identifier of a name. */
export const identifierOf = (value: string) => ({ type: "dns" as const, value });
