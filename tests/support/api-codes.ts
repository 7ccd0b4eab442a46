import { getDb } from "~db/connection.server";
import { type ApiClient, type Wrapped } from "./api";

/** A code in an answer, with the fields that the tests use. */
export interface AnsweredCode {
  id: number;
  code: string;
  subcode: string;
  fullCode: string;
  entityName: string;
  entityType: number;
  entityTypes: string[];
  status: string;
  [field: string]: unknown;
}

export interface AnsweredContact {
  id: number;
  name: string;
  email: string;
  [field: string]: unknown;
}

/** The answer of codes/getcode. */
export interface WholeCode {
  code: AnsweredCode;
  useCompanyAddress: boolean;
  usePhysicalAddress: boolean;
  contacts: AnsweredContact[];
  updatedAt: string;
}

export const WIRE_ADDRESS = {
  street1: "2 Dock Road",
  street2: " ",
  street3: " ",
  city: "Lyon",
  postcode: "69001",
  countryId: 250,
  subcountryCode: " ",
  company: " ",
};

/** The smallest request for a new entity. */
export const ENTITY_CALL = { codeType: "OSCAR Code Full", entityName: "Plant Nord" };

export const CODE_CONTACT = { contactType: "IT", name: "Ida", lastname: "Berg", email: "ida.berg@example-parts.com" };

export const readCode = async (client: ApiClient, id: number): Promise<WholeCode> =>
  (await client.get<WholeCode>("codes/getcode", { id })).content;

/** Changes a code. `code` has its changed fields, `rest` the fields beside it. */
export const updateCode = (client: ApiClient, code: object, rest: object = {}): Promise<Wrapped<boolean>> =>
  client.post("Codes/UpdateEntity", { code, ...rest });

export const codesOf = (userId: number) =>
  getDb().selectFrom("codes").selectAll().where("userId", "=", userId).orderBy("id").execute();

export const eventsOfCode = async (codeId: number): Promise<string[]> =>
  (await getDb().selectFrom("auditEntries").select("event").where("codeId", "=", codeId).orderBy("id").execute()).map(
    ({ event }) => event,
  );
