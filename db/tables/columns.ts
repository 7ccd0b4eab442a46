import { type ColumnType } from "kysely";

/** A timestamp. It is read as ISO text in UTC with milliseconds and written as Date or ISO text. */
export type Timestamp = ColumnType<string, Date | string, Date | string>;
export type MaybeTimestamp = ColumnType<string | null, Date | string | null | undefined, Date | string | null>;
export type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;
