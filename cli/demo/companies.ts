/**
 * Fictitious companies. Their domains are reserved by RFC 2606, and their telephone numbers are reserved for fiction where a country has
 * such numbers.
 */
export interface DemoCompany {
  company: string;
  /** The part before `.example`. */
  domain: string;
  iso: string;
  street: string;
  city: string;
  postalCode: string;
  /** Matches the pattern of the country, or is "" where none is required. */
  vatNumber: string;
  registrationNumber: string;
  telephoneNumber: string;
  /** `person` places the orders, and `colleague` answers for the company. */
  person: { firstName: string; lastName: string; position: string };
  colleague: { name: string; position: string };
}

export const COMPANIES: readonly DemoCompany[] = [
  {
    company: "Bauer Fahrzeugteile GmbH",
    domain: "bauer-fahrzeugteile",
    iso: "DE",
    street: "Industriestraße 14",
    city: "Zwickau",
    postalCode: "08056",
    vatNumber: "DE123456789",
    registrationNumber: "HRB 10233",
    telephoneNumber: "+49 30 23125 014",
    person: { firstName: "Katrin", lastName: "Bauer", position: "EDI Manager" },
    colleague: { name: "Jörg Lehmann", position: "Head of IT" },
  },
  {
    company: "Whitmore Castings Ltd",
    domain: "whitmore-castings",
    iso: "GB",
    street: "7 Foundry Road",
    city: "Wolverhampton",
    postalCode: "WV1 1AA",
    vatNumber: "GB123456789",
    registrationNumber: "04123987",
    telephoneNumber: "+44 1632 960114",
    person: { firstName: "Alice", lastName: "Whitmore", position: "Systems Analyst" },
    colleague: { name: "Graham Hill-Roberts", position: "Operations Director" },
  },
  {
    company: "Roussel Injection SAS",
    domain: "roussel-injection",
    iso: "FR",
    street: "22 rue des Ateliers",
    city: "Montbéliard",
    postalCode: "25200",
    vatNumber: "FR12345678901",
    registrationNumber: "512 345 678",
    telephoneNumber: "+33 1 99 00 12 14",
    person: { firstName: "Hélène", lastName: "Roussel", position: "Responsable EDI" },
    colleague: { name: "Marc Perrin", position: "Directeur informatique" },
  },
  {
    company: "Ferrante Stampi S.r.l.",
    domain: "ferrante-stampi",
    iso: "IT",
    street: "Via dell'Officina 3",
    city: "Torino",
    postalCode: "10135",
    vatNumber: "IT12345678901",
    registrationNumber: "TO-1099321",
    telephoneNumber: "+39 011 5550114",
    person: { firstName: "Giulia", lastName: "Ferrante", position: "Supply Chain IT" },
    colleague: { name: "Paolo Conti", position: "Amministratore" },
  },
  {
    company: "Keller Präzision AG",
    domain: "keller-praezision",
    iso: "CH",
    street: "Werkgasse 9",
    city: "Winterthur",
    postalCode: "8400",
    vatNumber: "",
    registrationNumber: "CHE-123.456.789",
    telephoneNumber: "+41 52 555 01 14",
    person: { firstName: "Reto", lastName: "Keller", position: "Leiter Logistik" },
    colleague: { name: "Sabine Frei", position: "Geschäftsleitung" },
  },
  {
    company: "Dvořák Kabely s.r.o.",
    domain: "dvorak-kabely",
    iso: "CZ",
    street: "Tovární 51",
    city: "Mladá Boleslav",
    postalCode: "293 01",
    vatNumber: "CZ12345678",
    registrationNumber: "27074358",
    telephoneNumber: "+420 555 010 114",
    person: { firstName: "Petr", lastName: "Dvořák", position: "IT specialista" },
    colleague: { name: "Jana Králová", position: "Jednatelka" },
  },
];

export const emailOf = (name: string, { domain }: Pick<DemoCompany, "domain">): string =>
  `${name
    .normalize("NFD")
    .replace(/[^a-zA-Z -]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[ -]+/g, ".")}@${domain}.example`;

export const loginOf = (company: DemoCompany): string =>
  emailOf(`${company.person.firstName} ${company.person.lastName}`, company);
