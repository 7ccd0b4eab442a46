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
  "Order or invoice number, host name, serial number, fingerprint, company, person, email address or ID code. The name or email address of an authentication contact finds the certificates. The beginning of an order or invoice number, such as SO-102 or INV-2026, finds the newest ones. Serial numbers and fingerprints are found with or without colons.";
