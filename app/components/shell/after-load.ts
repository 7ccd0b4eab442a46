// What scripts add to every page of a person who is logged in, after it has loaded: suggestions of the search, the single keys, and the place
// after paging.
import "../certificates/queue-keys-script";
import "../lists/paging-script";
import "../search/find-script";
