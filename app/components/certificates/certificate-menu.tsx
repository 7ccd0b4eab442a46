import { Form, Link } from "@remix-run/react";
import { certificateList, type CertificateListParams } from "~/domain/certificates/catalogue/certificate-list";
import { type CertificateListItem } from "~/domain/certificates/catalogue/list.service.server";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";

const RENEWAL_FORM = "renew-row";

/** Escape closes the menu and leaves the focus on it. Opening another menu closes this one, because they have the same name. */
function closeWithEscape({ key, currentTarget: menu }: React.KeyboardEvent<HTMLDetailsElement>) {
  if (key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** What this user can do with one certificate of the list now. Renew sends the form of `RowRenewalForm`. */
export function CertificateMenu({ row, params }: { row: CertificateListItem; params: CertificateListParams }) {
  const { id, barriers } = row;
  const name = (
    <span className="vh">
      {" "}
      {row.commonName} ({id})
    </span>
  );
  const link = (label: string, path: string) => (
    <li>
      <Link to={certificateList.addTo(path, params, { selected: id })}>
        {label}
        {name}
      </Link>
    </li>
  );
  return (
    <details className="row-menu" name="row-menu" onKeyDown={closeWithEscape}>
      <summary>Actions{name}</summary>
      <ul role="list">
        {!barriers.view && link("View", paths.certificateDetails(id))}
        {!barriers.download && link("Download", paths.certificateDownload(id))}
        {!barriers.renew && (
          <li>
            <button className="as-link" form={RENEWAL_FORM} name="id" value={id}>
              Renew{name}
            </button>
          </li>
        )}
        {!barriers.revoke && link("Revoke", paths.certificateRevoke(id))}
      </ul>
    </details>
  );
}

/** The form that Renew in the menus of the rows sends. It stands outside the table's form, because forms cannot contain forms. */
export const RowRenewalForm = () => (
  <Form id={RENEWAL_FORM} method="post">
    <CsrfField />
    <input type="hidden" name="intent" value="renew" />
  </Form>
);
