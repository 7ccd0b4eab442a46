import { segment } from "./paths";

/** Whose API clients a page is about: those of a company or those of staff. */
type ClientKind = "company" | "staff";

const apiClients = (kind: ClientKind) => (kind === "staff" ? "/home/users/api-clients" : "/home/company/api-clients");

/** The URLs of pages about the data of a person and about API clients, which few other pages link. */
export const accountPaths = {
  /** What the portal holds about the user, and the file with it. */
  personalData: "/home/personal-data",
  personalDataFile: "/home/personal-data/file",
  /** Where a user asks for the erasure of their data. */
  eraseData: "/home/personal-data/erasure",
  /** What the portal holds about a person, for staff, and the file with it. */
  userData: (id: number) => `/home/users/${segment(id)}/data`,
  userDataFile: (id: number) => `/home/users/${segment(id)}/data/file`,
  /** The API clients of the company in which the user works, or those of staff. */
  apiClients,
  newApiClient: (kind: ClientKind) => `${apiClients(kind)}/new`,
  apiClient: (kind: ClientKind, id: number) => `${apiClients(kind)}/${segment(id)}`,
};
