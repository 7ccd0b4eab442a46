/** The entity types with their flags, the bits of `entityType` (COD-03), in the order of the page. */
export const ENTITY_TYPES = {
  Headquarters: 1,
  Storage: 2,
  Transport: 4,
  Finance: 8,
  Production: 16,
  Sales: 32,
  Procurement: 64,
  Distribution: 128,
  Development: 256,
  IT: 512,
  Accounting: 1024,
  Admin: 2048,
  RegisteredOffice: 4096,
  OFTP: 8192,
  Other: 16384,
} as const;

export type EntityType = keyof typeof ENTITY_TYPES;

const NAMES = Object.keys(ENTITY_TYPES) as EntityType[];

const DISPLAYED: Partial<Record<EntityType, string>> = {
  Other: "Other (please specify)",
  RegisteredOffice: "Registered Office",
};

export const entityTypeLabel = (name: EntityType): string => DISPLAYED[name] ?? name;

export const sumOf = (names: readonly EntityType[]): number => names.reduce((sum, name) => sum | ENTITY_TYPES[name], 0);

export const entityTypesOf = (sum: number): EntityType[] => NAMES.filter((name) => (sum & ENTITY_TYPES[name]) !== 0);

/** Returns the entity types to choose from. OFTP is offered for sub-entities only (COD-03), and where a code has it already. */
export const offeredEntityTypes = ({ isSubEntity, stored }: { isSubEntity: boolean; stored: number }): EntityType[] =>
  NAMES.filter((name) => name !== "OFTP" || isSubEntity || (stored & ENTITY_TYPES.OFTP) !== 0);
