import { certificateList, type CertificateListParams } from "~/domain/certificates/catalogue/certificate-list";
import { paths } from "~/lib/paths";
import { NoRecords } from "../lists/no-records";
import { LinkButton } from "../ui/buttons";

/** What an empty list of certificates says: that nothing matches, with a link to the whole list, or what belongs here. */
export function NoCertificates({ params, mayOrder }: { params: CertificateListParams; mayOrder: boolean }) {
  const { search, tag, expires, ends, began, state } = params;
  const all = { search: "", tag: "", expires: null, ends: null, began: null, state: null, page: 1, selected: null };
  if (search !== "" || tag !== "" || expires !== null || ends !== null || began !== null || state !== null)
    return <NoRecords search={search} all={certificateList.href(params, all)} things="certificates" />;
  return (
    <div className="stack">
      <NoRecords all={null}>Here you find your certificates, and how far each order has come.</NoRecords>
      {mayOrder && (
        <p>
          <LinkButton to={paths.certificatePurchase("contact-details")}>Order the first certificate</LinkButton>
        </p>
      )}
    </div>
  );
}
