import { SEARCH_LIMIT } from "~/lib/list-params";
import { rarePaths } from "~/lib/rare-paths";
import { Field } from "../forms/field";
import { FollowingInput } from "../forms/following";
import { SearchForm } from "../forms/search-form";
import { SubmitButton } from "../ui/buttons";
import { SingleKeysSwitch } from "../ui/single-keys-switch";

interface Props {
  /** The id of the field. */
  id: string;
  text: string;
  error: string | null;
}

/** The field of the search page. It has the words that were searched for, which can be changed. */
export function SearchAll({ id, text, error }: Props) {
  return (
    <SearchForm action={rarePaths.search()} className="search-all" aria-label="Everything">
      <Field id={id} label="Search everything" hint={WHAT} error={error ?? undefined}>
        <FollowingInput
          id={id}
          type="search"
          name="q"
          value={text}
          maxLength={SEARCH_LIMIT}
          autoComplete="off"
          aria-keyshortcuts="/"
          aria-invalid={error === null ? undefined : true}
          aria-describedby={`${id}-hint${error === null ? "" : ` ${id}-error`}`}
        />
      </Field>
      <SubmitButton>Search</SubmitButton>
      <SingleKeysSwitch label="Single keys work in this browser: / moves to the search" />
    </SearchForm>
  );
}

const WHAT =
  "Order or invoice number, or its beginning (SO-102, INV-2026); host name, serial number or fingerprint, with or without colons; company, person, contact of a certificate, email address or ID code.";
