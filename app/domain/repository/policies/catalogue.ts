import { repositoryFiles } from "~/lib/repository-files";

/** The names of the documents in their addresses. They never change. */
export type PolicyName = "certificate-policy" | "certification-practice-statement" | "subscriber-agreement";

export interface PolicyEntry {
  name: PolicyName;
  title: string;
  /** The name of the document in REP-02. */
  caption: string;
  /** The name of its file in the repository. */
  file: string;
}

/** The documents of REP-02. */
export const POLICIES: readonly PolicyEntry[] = [
  {
    name: "certificate-policy",
    title: "Certificate Policy",
    caption: "Certificate Policy",
    file: repositoryFiles.policy,
  },
  {
    name: "certification-practice-statement",
    title: "Certification Practice Statement",
    caption: "Certification Practice",
    file: repositoryFiles.practiceStatement,
  },
  {
    name: "subscriber-agreement",
    title: "Subscriber Agreement",
    caption: "Subscriber Agreement",
    file: repositoryFiles.agreement,
  },
];

export const findPolicyEntry = (name: string | undefined): PolicyEntry | null =>
  POLICIES.find((entry) => entry.name === name) ?? null;
