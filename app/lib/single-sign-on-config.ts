import { z } from "zod";

/** The rights that groups can give. Applicant is not among them, because single sign-on is for staff. */
const groupRight = z.enum([
  "admin",
  "registration-officer",
  "approver",
  "finance",
  "user-administrator",
  "auditor",
  "operator",
]);

const text = z.string().trim().min(1, "must not be empty");

/** The part `accounts.singleSignOn` of the configuration file. docs/configuration.md describes it. */
export const singleSignOnSchema = z
  .object({
    /** What the button calls the provider: 'Log in with …'. */
    name: text.max(40, "may have at most 40 characters"),
    /** What the portal asks the provider for. */
    scope: text
      .refine((value) => value.split(" ").includes("openid"), "must contain 'openid'")
      .default("openid email profile"),
    groupClaim: text.default("groups"),
    /** The rights that each group gives. */
    rights: z
      .record(z.array(groupRight).min(1, "must name a right"))
      .refine((groups) => Object.keys(groups).length > 0, "must name a group"),
    /** The values of the claims `amr` and `acr` that say that a second factor was used. */
    secondFactor: z
      .object({ amr: z.array(text).default([]), acr: z.array(text).default([]) })
      .strict()
      .default({}),
    /** Whether staff may still log in with a password. */
    staffPasswords: z.boolean().default(true),
  })
  .strict();

export type SingleSignOnConfig = z.infer<typeof singleSignOnSchema>;

/** A right that a group can give. */
export type GroupRight = z.infer<typeof groupRight>;
