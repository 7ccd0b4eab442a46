/** A rule of requests for certificates: what pages, calls and documents say of it beside the sentence about one CSR. */
export interface RequestRule {
  title: string;
  /** What the rule demands, as whole sentences. */
  requirement: string;
  /** How to satisfy the rule. Empty when the sentence about the CSR says so already. */
  advice: string;
  /** The section of the certification practice statement that has the rule. */
  section: string;
  /** The standard behind the rule. */
  standard: { text: string; url: string };
}

/** Rules by their stable codes. */
export type RequestRules = Record<string, RequestRule>;

/** Returns a section of an RFC as a standard. */
export const rfc = (number: number, section: string): RequestRule["standard"] => ({
  text: `RFC ${number} §${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

/** Returns an RFC as a standard. */
export const wholeRfc = (number: number): RequestRule["standard"] => ({
  text: `RFC ${number}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}`,
});

/** Returns a section of the Baseline Requirements for TLS certificates, which have one address for all sections. */
export const baselineRequirements = (section: string): RequestRule["standard"] => ({
  text: `CA/Browser Forum Baseline Requirements §${section}`,
  url: "https://cabforum.org/working-groups/server/baseline-requirements/requirements/",
});

export const UTS_39 = {
  text: "Unicode UTS #39 §5.2",
  url: "https://www.unicode.org/reports/tr39/#Restriction_Level_Detection",
};

export const UTS_39_CHARACTERS = {
  text: "Unicode UTS #39 §3.1",
  url: "https://www.unicode.org/reports/tr39/#General_Security_Profile",
};
