import { useSubmit } from "@remix-run/react";
import { SearchForm } from "../forms/search-form";
import { RowsChoice } from "./rows-choice";

interface Props {
  size: number;
  /** All other query parameters that are kept. */
  keep: URLSearchParams;
}

/** The rows per page, for a page whose search is a separate form. */
export function RowsForm({ size, keep }: Props) {
  const submit = useSubmit();
  return (
    <SearchForm role={undefined} className="toolbar" preventScrollReset keep={keep}>
      <RowsChoice size={size} onChange={(form) => submit(form, { replace: true, preventScrollReset: true })} />
    </SearchForm>
  );
}
