import { useLocation, useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useId, useRef } from "react";
import { FollowingInput } from "../forms/following";
import { SearchForm } from "../forms/search-form";
import { TYPING_PAUSE_MS } from "../forms/typing-pause";
import { SubmitButton } from "../ui/buttons";
import { RowsChoice } from "./rows-choice";

interface Props {
  search: string;
  searchLabel?: string;
  searchHint?: React.ReactNode;
  size: number;
  sizes?: readonly number[];
  /** Query parameters that stay unchanged, e.g. the sort order. */
  keep?: URLSearchParams;
}

/** The search box and the rows per page of a list. With scripts the form is submitted on change and after a pause in typing. */
export function ListToolbar(props: Props) {
  const { search, searchLabel = "Search", searchHint, size, sizes, keep } = props;
  const id = useId();
  const submit = useSubmit();
  const pause = useRef<ReturnType<typeof setTimeout>>();

  const { pathname } = useLocation();
  const next = useNavigation().location?.pathname;
  const isLeaving = useRef(false);

  useEffect(() => {
    isLeaving.current = next !== undefined && next !== pathname;
  }, [next, pathname]);

  const send = (form: HTMLFormElement | null, wait = 0) => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      // A delayed search must not bring back a user who is leaving or has left the page.
      if (form?.isConnected && !isLeaving.current) submit(form, { replace: true, preventScrollReset: true });
    }, wait);
  };

  return (
    <SearchForm className="toolbar" preventScrollReset onSubmit={() => clearTimeout(pause.current)} keep={keep}>
      <div>
        <label htmlFor={`${id}-search`}>{searchLabel}</label>
        <FollowingInput
          id={`${id}-search`}
          type="search"
          name="search"
          value={search}
          maxLength={200}
          placeholder="Search..."
          aria-describedby={searchHint ? `${id}-hint` : undefined}
          onChange={(event) => send(event.currentTarget.form, TYPING_PAUSE_MS)}
        />
        <SubmitButton variant="secondary">Search</SubmitButton>
        {searchHint && (
          <span className="hint" id={`${id}-hint`}>
            {searchHint}
          </span>
        )}
      </div>
      <RowsChoice size={size} sizes={sizes} onChange={send} />
    </SearchForm>
  );
}
