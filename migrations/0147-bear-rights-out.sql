-- Whoever gives up a right themselves says so to their page; what somebody wrote of themselves proves nothing.
drop function if exists app.may_still(text);
