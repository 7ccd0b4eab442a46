import { type Pdf } from "~/lib/pdf/document.server";

/** The name that Factur-X and ZUGFeRD 2 require. */
const FILE_NAME = "factur-x.xml";

const NAMESPACE = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** The properties that the metadata states, and what each means. */
const PROPERTIES = [
  ["DocumentFileName", FILE_NAME, "The name of the embedded XML document"],
  ["DocumentType", "INVOICE", "The type of the hybrid document"],
  ["Version", "1.0", "The version of the XML schema"],
  ["ConformanceLevel", "EN 16931", "The profile of the XML document"],
] as const;

/** Returns the description of a property, which PDF/A requires for every one that it does not know itself. */
const described = ([name, , meaning]: (typeof PROPERTIES)[number]) =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${meaning}</pdfaProperty:description></rdf:li>`;

const METADATA = `
        <rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
            ${PROPERTIES.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join("")}
        </rdf:Description>
        <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${PROPERTIES.map(described).join("")}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>
        </rdf:Description>
        `;

/** What pdfkit offers and its types do not say. */
interface Embedding {
  file: (src: Buffer, options: PDFKit.Mixins.PDFAttachmentOptions & { relationship: "Alternative" }) => unknown;
  appendXML: (xml: string) => void;
}

/**
 * Embeds an e-invoice in a PDF/A-3 (Factur-X 1.07, ZUGFeRD 2.3): accounting programs read the XML, people read the pages.
 *
 * @param date The date of the content, so that the same content gives the same bytes.
 */
export function embedFacturX(pdf: Pdf, xml: string, date: Date): void {
  const embedding = pdf as unknown as Embedding;
  embedding.file(Buffer.from(xml, "utf8"), {
    name: FILE_NAME,
    type: "text/xml",
    description: "The invoice as data (EN 16931)",
    relationship: "Alternative",
    creationDate: date,
    modifiedDate: date,
  });
  embedding.appendXML(METADATA);
}
