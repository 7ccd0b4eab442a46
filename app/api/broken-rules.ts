import { z } from "zod";

const link = (text: string) => z.object({ text: z.string(), url: z.string() }).describe(text);

/** The schema of the rules that a CSR breaks. */
export const brokenRules = () =>
  z
    .array(
      z.object({
        code: z.string().describe("Stable code of the rule, such as `name-internal`"),
        title: z.string(),
        url: z.string().describe("Path of the rule on the public page of all rules"),
        message: z.string().describe("What is wrong in this CSR, and how to satisfy the rule"),
        advice: z.string().describe("How to satisfy the rule; empty when the message says so"),
        section: link("Section of the practice statement; the path of its heading on the public page"),
        standard: link("Standard behind the rule"),
      }),
    )
    .describe("Each rule that the CSR breaks; missing when it breaks none of the portal's rules for CSRs");
