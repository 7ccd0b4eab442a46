import { type IssuerLimits } from "../names/issuer-limits.server";
import { isDnsName, isMailbox } from "../x509/host-name.server";
import { type NameTree } from "../x509/name-constraints.server";
import { type Lint, sayIf } from "./lint.server";

/** The certificate of a CA or of an OCSP responder, with what it lets its key certify. */
export interface LimitedCa {
  kind: "root" | "issuing" | "cross-certificate" | "ocsp-responder";
  limits: IssuerLimits;
}

/** The extended key usages that this CA certifies. OCSPSigning is not one: with it, the CA could answer for its own issuer. */
export const CA_PURPOSES = ["serverAuth", "clientAuth", "emailProtection"] as const;

const CONSTRAINTS = "RFC 5280 §4.2.1.10";
const BASELINE = "CA/B Forum TLS BR §7.1.2.5.2";

/** Returns whether the text is a domain name that may begin a tree: without a wildcard. */
const isDomain = (text: string): boolean => isDnsName(text) && !text.startsWith("*");
const isHostTree = (text: string) => isDomain(text.replace(/^\./, ""));

/** Returns what is wrong with a tree, as the end of a sentence, or null. */
export function treeProblem(tree: NameTree, as: "permitted" | "excluded"): string | null {
  const { kind, text } = tree;
  switch (tree.kind) {
    case "dns":
      if (text === "" && as === "excluded") return null;
      return isDomain(text)
        ? null
        : "must be a domain name such as example.com, without a dot or wildcard at its beginning: it stands for all names below it, too";
    case "email":
      return isHostTree(text) || isMailbox(text)
        ? null
        : "must be a mailbox, a host such as example.com, or .example.com for the hosts below it";
    case "uri":
      return isHostTree(text) ? null : "must be a host such as example.com, or .example.com for the hosts below it";
    case "ip":
      return text.includes("mask") ? "must have a mask whose bits are set from the left" : null;
    case "directory":
      return tree.attributes.length > 0 ? null : "must have at least one attribute";
    default:
      return `is a kind of name that this CA does not check (${kind})`;
  }
}

const sidesOf = ({ names }: IssuerLimits) => [
  ...(names?.permitted ?? []).map((tree) => ["permitted", tree] as const),
  ...(names?.excluded ?? []).map((tree) => ["excluded", tree] as const),
];

/** Returns whether no name of a kind is left: all of them are excluded. */
function isAllExcluded({ names }: IssuerLimits, kind: NameTree["kind"]): boolean {
  const excluded = (names?.excluded ?? []).filter((tree) => tree.kind === kind).map(({ text }) => text);
  return kind === "ip" ? excluded.includes("0.0.0.0/0") && excluded.includes("::/0") : excluded.includes("");
}

const isOpen = (limits: IssuerLimits, kind: NameTree["kind"]): boolean =>
  !limits.names?.permitted.some((tree) => tree.kind === kind) && !isAllExcluded(limits, kind);

const isFor = ({ purposes }: IssuerLimits, ...wanted: string[]) =>
  purposes.length === 0 || wanted.some((purpose) => purposes.includes(purpose));

/** The rules about what a CA's own certificate lets it certify, which no option overrules. */
export const LIMIT_ERRORS: readonly Lint<LimitedCa>[] = [
  {
    name: "name-constraints",
    source: CONSTRAINTS,
    severity: "error",
    find: ({ limits }) => [
      ...sayIf(
        limits.names !== null && sidesOf(limits).length === 0,
        "The name constraints must have at least one name.",
      ),
      ...sidesOf(limits).flatMap(([side, tree]) => {
        const problem = treeProblem(tree, side);
        return problem === null ? [] : [`The name constraints: '${tree.text}', which is ${side}, ${problem}.`];
      }),
    ],
  },
  {
    name: "ca-purposes",
    source: "RFC 5280 §4.2.1.12, practice statement §6.1.7",
    severity: "error",
    find: ({ kind, limits: { purposes } }) =>
      kind === "ocsp-responder"
        ? []
        : purposes
            .filter((purpose) => !CA_PURPOSES.some((known) => known === purpose))
            .map((purpose) => `A CA must not have the extended key usage ${purpose}, only ${CA_PURPOSES.join(", ")}.`),
  },
];

/** What people decide about the limits of a CA. */
export const LIMIT_WARNINGS: readonly Lint<LimitedCa>[] = [
  {
    name: "open-names",
    source: BASELINE,
    severity: "warning",
    find: ({ limits }) => {
      if (limits.names === null) return [];
      const open = [
        ...(isFor(limits, "serverAuth") && isOpen(limits, "dns") ? ["DNS names"] : []),
        ...(isFor(limits, "serverAuth") && isOpen(limits, "ip") ? ["IP addresses"] : []),
        ...(isFor(limits, "emailProtection") && isOpen(limits, "email") ? ["email addresses"] : []),
      ];
      return open.map(
        (kind) =>
          `The name constraints permit no particular ${kind}, so this CA can certify all that are not excluded.`,
      );
    },
  },
  {
    name: "uris-of-oftp-ids",
    source: CONSTRAINTS,
    severity: "warning",
    find: ({ limits }) =>
      sayIf(
        sidesOf(limits).some(([, { kind }]) => kind === "uri"),
        "With name constraints for URIs, this CA can certify no OFTP ID, because its URI (oftp://) has no domain name.",
      ),
  },
];
