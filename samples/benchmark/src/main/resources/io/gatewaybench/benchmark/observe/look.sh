next=%d
while [ -n "$next" ]; do
	started=
	for pid in $next; do
		grep -H '' /proc/$pid/stat /proc/$pid/status /proc/$pid/task/*/stat /proc/$pid/task/*/status \
			/proc/$pid/task/*/schedstat 2> /dev/null
		ls -l /proc/$pid/fd 2> /dev/null | sed -n "s|.*/*\(socket:\)|/proc/$pid/fd/:\1|p"
		started="$started $(cat /proc/$pid/task/*/children 2> /dev/null)"
	done
	next=$(echo $started)
done
