// What scripts add to every page of a person who is logged in, after it has loaded: suggestions of the search, and the single keys.
import "../certificates/queue-keys-script";
import "../search/find-script";
