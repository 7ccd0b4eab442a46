import { z } from "zod";
import { CA_PURPOSES, treeProblem } from "~/ca/lint/limit-lints.server";
import { directoryTree, type NameConstraints, type NameTree, networkTree } from "~/ca/x509/name-constraints.server";
import { planSubjectStart } from "./plan-values.server";

type Side = keyof NameConstraints;

/** Returns the schema of a list. `all` are its items when the plan says `all`, which only excluded names can be. */
const list = <Item extends z.ZodTypeAny>(item: Item, all?: readonly string[]) =>
  z.preprocess((value) => (value === "all" && all ? all : value), z.array(item).min(1, "must not be empty")).optional();

const tree = (kind: "dns" | "email" | "uri", side: Side) =>
  z.string().transform((text, context): NameTree => {
    const found: NameTree = { kind, text };
    const problem = treeProblem(found, side);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
    return found;
  });

const network = z.string().transform((text, context): NameTree => {
  const found = networkTree(text);
  if (found) return found;
  context.addIssue({
    code: "custom",
    message: "must be a network such as 192.0.2.0/24 or 2001:db8::/32, with no bits of the address behind the prefix",
  });
  return z.NEVER;
});

const directory = planSubjectStart
  .refine((value) => Object.keys(value).length > 0, "must have at least one attribute, such as 'country'")
  .refine(
    ({ country }) => country !== undefined,
    "must have 'country', because every subject of this CA begins with it",
  )
  .transform(directoryTree);

const sideOf = (side: Side) =>
  z
    .object({
      dns: list(tree("dns", side), side === "excluded" ? [""] : undefined),
      email: list(tree("email", side)),
      uri: list(tree("uri", side)),
      ip: list(network, side === "excluded" ? ["0.0.0.0/0", "::/0"] : undefined),
      directory: list(directory),
    })
    .strict()
    .refine((value) => Object.keys(value).length > 0, "must have at least one of dns, email, uri, ip and directory")
    .transform(({ dns = [], email = [], uri = [], ip = [], directory: names = [] }): NameTree[] => [
      ...dns,
      ...email,
      ...uri,
      ...ip,
      ...names,
    ])
    .optional();

/** The names and purposes that the certificate of a CA lets it certify (RFC 5280 §4.2.1.10 and §4.2.1.12). */
export const limitsOfPlan = {
  nameConstraints: z
    .object({ permitted: sideOf("permitted"), excluded: sideOf("excluded") })
    .strict()
    .refine(({ permitted, excluded }) => permitted ?? excluded, "must have 'permitted', 'excluded' or both")
    .transform(({ permitted = [], excluded = [] }): NameConstraints => ({ permitted, excluded }))
    .optional(),
  extendedKeyUsage: z
    .array(z.enum(CA_PURPOSES))
    .min(1, "must not be empty: leave it out for a CA that may certify every purpose")
    .refine((purposes) => new Set(purposes).size === purposes.length, "must name each purpose once")
    .optional(),
};
